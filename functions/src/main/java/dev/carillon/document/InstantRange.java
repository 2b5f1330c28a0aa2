package dev.carillon.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The range of instants that documents can contain: whole milliseconds from 1970 to 4999. A job's
 * id contains the job's instant and has room for instants up to the year 5188. Instants that are
 * computed from given instants can be later than the range.
 */
public final class InstantRange {

  /** The exclusive end of the range. */
  public static final Instant END_OF_TIME = Instant.parse("5000-01-01T00:00:00Z");

  /** The range in the words that error texts use. */
  public static final String TEXT =
      "from 1970-01-01 to 4999-12-31, because the id of a job cannot hold much later instants";

  private InstantRange() {}

  /**
   * Returns the instant if it is in range.
   *
   * @throws DateTimeException if it is out of range or not in whole milliseconds
   */
  public static Instant bounded(Instant instant) {
    if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(END_OF_TIME)) {
      throw new DateTimeException("out of range");
    }
    if (!instant.equals(instant.truncatedTo(ChronoUnit.MILLIS))) {
      throw new DateTimeException("not in whole milliseconds");
    }
    return instant;
  }
}
