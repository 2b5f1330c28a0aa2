package dev.carillon.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The instants that documents can name: whole milliseconds from 1970 to 9999. */
public final class InstantRange {

  /** Instants that are read lie before this one. */
  public static final Instant END_OF_TIME = Instant.parse("9999-12-31T00:00:00Z");

  /** For remedies. */
  public static final String TEXT = "from 1970-01-01 to 9999-12-30";

  private InstantRange() {}

  /**
   * The same instant.
   *
   * @throws DateTimeException if it is not in whole milliseconds or out of bounds
   */
  public static Instant bounded(Instant instant) {
    if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(END_OF_TIME)) {
      throw new DateTimeException("out of bounds");
    }
    if (!instant.equals(instant.truncatedTo(ChronoUnit.MILLIS))) {
      throw new DateTimeException("not in whole milliseconds");
    }
    return instant;
  }
}
