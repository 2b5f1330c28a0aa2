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

  /** Refuses a value of an option that is less than the least one. */
  public static void ifLess(long least, String option, long value) {
    if (value < least) {
      throw new CannotRun(option + " is " + value + "; at least " + least + " is needed");
    }
  }
}
