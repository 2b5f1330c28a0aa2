package dev.carillon.schedule;

import dev.carillon.time.Exclusion.Excluded;
import java.time.Instant;

/**
 * A period of suspension that is over.
 *
 * @param to it ended with this instant
 */
record Pause(Period period, Instant to) {

  Instant from() {
    return period.from();
  }

  boolean contains(Instant instant) {
    return instant.isAfter(from()) && !instant.isAfter(to);
  }

  /** Its time as one in which there are no fires, which are to the millisecond. */
  Excluded excluded() {
    return new Excluded(from().plusMillis(1), to.plusMillis(1));
  }
}
