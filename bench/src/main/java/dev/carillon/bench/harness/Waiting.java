package dev.carillon.bench.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Waits by the wall clock, because benchmarks measure real time. */
public final class Waiting {

  /**
   * The pause between two evaluations. It is long, because each evaluation takes time from the
   * measured system.
   */
  private static final long PAUSE_MILLIS = 500;

  private Waiting() {}

  public static void until(Instant instant) {
    pause(Math.max(0, Duration.between(Instant.now(), instant).toMillis()));
  }

  /**
   * @throws CannotRun if the condition is not met in time
   */
  public static void until(String what, Duration most, BooleanSupplier condition) {
    if (!comesTrue(most, condition)) {
      throw new CannotRun("after " + most.toSeconds() + " s: " + what);
    }
  }

  /**
   * @return false if the condition is not met in time
   */
  public static boolean comesTrue(Duration most, BooleanSupplier condition) {
    Instant end = Instant.now().plus(most);
    while (!condition.getAsBoolean()) {
      if (Instant.now().isAfter(end)) {
        return false;
      }
      pause(PAUSE_MILLIS);
    }
    return true;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new CannotRun("interrupted", stop);
    }
  }
}
