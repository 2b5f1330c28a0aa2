package dev.carillon.bench.crash;

import java.time.Duration;
import java.time.Instant;

/**
 * A kill that interrupted an engine at work.
 *
 * @param at when it was dead
 * @param readyAgain when the next engine was ready that lived on
 */
record Kill(Instant at, Instant readyAgain) {

  /** How long a request may be on its way from its launcher's first write to its last. */
  private static final Duration LONGEST_FLIGHT = Duration.ofSeconds(5);

  /** Whether this may be why what was sent at {@code first} was sent again at {@code second}. */
  boolean explains(Instant first, Instant second) {
    return !first.isAfter(at) && first.isAfter(at.minus(LONGEST_FLIGHT)) && second.isAfter(at);
  }

  boolean isDuring(Instant instant) {
    return instant.isAfter(at) && !instant.isAfter(readyAgain);
  }
}
