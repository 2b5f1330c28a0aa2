package dev.carillon.schedule;

import dev.carillon.time.Exclusion.Excluded;
import java.time.Instant;

/**
 * A suspension that has ended.
 *
 * @param to the last instant that belongs to it
 */
record Pause(Period period, Instant to) {

  Instant from() {
    return period.from();
  }

  boolean contains(Instant instant) {
    return instant.isAfter(from()) && !instant.isAfter(to);
  }

  /**
   * The pause as a time without fires. The end is a millisecond later, because fires have
   * millisecond precision.
   */
  Excluded excluded() {
    return new Excluded(from().plusMillis(1), to.plusMillis(1));
  }
}
