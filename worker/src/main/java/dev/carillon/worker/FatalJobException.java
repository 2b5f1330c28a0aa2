package dev.carillon.worker;

/** Thrown by a handler to end the job as FAILED, because another attempt would fail as well. */
public class FatalJobException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FatalJobException(String message) {
    super(message);
  }

  public FatalJobException(String message, Throwable cause) {
    super(message, cause);
  }
}
