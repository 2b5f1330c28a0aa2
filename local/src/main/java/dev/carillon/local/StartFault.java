package dev.carillon.local;

/** Why the engine cannot start, in words for the user who started it. */
public final class StartFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StartFault(String message) {
    super(message);
  }

  public StartFault(String message, Throwable cause) {
    super(message, cause);
  }
}
