package dev.carillon.schedule;

import dev.carillon.time.Exclusion.Excluded;
import java.time.Instant;

/**
 * A suspension that is over and kept jobs.
 *
 * @param from it began behind this instant
 * @param to it ended with this one
 */
public record Pause(SuspendMode mode, Instant from, Instant to) {

  boolean contains(Instant instant) {
    return instant.isAfter(from) && !instant.isAfter(to);
  }

  /** Its time as one in which there are no fires, which are to the millisecond. */
  Excluded excluded() {
    return new Excluded(from.plusMillis(1), to.plusMillis(1));
  }
}
