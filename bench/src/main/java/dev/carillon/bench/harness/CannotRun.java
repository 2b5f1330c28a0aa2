package dev.carillon.bench.harness;

/** Thrown when a benchmark cannot run; the message is for the user. */
public final class CannotRun extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CannotRun(String what) {
    super(what);
  }

  public CannotRun(String what, Throwable cause) {
    super(what, cause);
  }
}
