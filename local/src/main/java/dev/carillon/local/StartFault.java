package dev.carillon.local;

/** Thrown when the engine cannot start; the message is for the user. */
public final class StartFault extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StartFault(String message) {
    super(message);
  }

  public StartFault(String message, Throwable cause) {
    super(message, cause);
  }

  static StartFault port(String server, int port, String option, Throwable cause) {
    return new StartFault(
        "%s cannot listen on port %d (%s); choose another port with %s, or 0 for any"
            .formatted(server, port, root(cause).getMessage(), option),
        cause);
  }

  private static Throwable root(Throwable fault) {
    Throwable root = fault;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
