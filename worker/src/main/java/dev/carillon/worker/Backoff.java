package dev.carillon.worker;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The pauses between the tries of a request. The upper bound of the pause doubles with each
 * failure, up to {@code longest}. The pause is a random value between half of this bound and the
 * bound, so that many workers do not try at the same instant.
 *
 * @param random draws a number from [0, 1)
 */
record Backoff(Duration first, Duration longest, DoubleSupplier random) {

  private static final int MOST_DOUBLINGS = 20;

  /**
   * The pause after a failure.
   *
   * @param failures the number of failures so far, from 1
   */
  Duration pause(int failures) {
    Duration doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    Duration bound = doubled.compareTo(longest) < 0 ? doubled : longest;
    return Duration.ofNanos((long) (bound.toNanos() * (1 + random.getAsDouble()) / 2));
  }
}
