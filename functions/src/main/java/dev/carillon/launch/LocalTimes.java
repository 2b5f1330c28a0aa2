package dev.carillon.launch;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * The days and hours around an instant in a zone. A day starts at its first instant, which need not
 * be midnight. The previous day is the last one that the zone had, which need not be the previous
 * calendar date.
 */
record LocalTimes(ZonedDateTime processTime) {

  private static final DateTimeFormatter TEXT =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXXXX", Locale.ROOT);

  static LocalTimes of(Instant instant, ZoneId zone) {
    return new LocalTimes(instant.atZone(zone));
  }

  /**
   * The time as ISO-8601 text with milliseconds and an offset, which is {@code Z} if it is zero.
   */
  static String text(OffsetDateTime time) {
    return TEXT.format(time);
  }

  static String text(Instant instant, ZoneId zone) {
    return text(instant.atZone(zone).toOffsetDateTime());
  }

  LocalDate today() {
    return processTime.toLocalDate();
  }

  LocalDate yesterday() {
    return endOfPreviousDay().toLocalDate();
  }

  OffsetDateTime startOfDay() {
    return startOf(today());
  }

  /** The last millisecond of the previous day. */
  OffsetDateTime endOfPreviousDay() {
    return today()
        .atStartOfDay(processTime.getZone())
        .minus(1, ChronoUnit.MILLIS)
        .toOffsetDateTime();
  }

  OffsetDateTime startOfPreviousDay() {
    return startOf(yesterday());
  }

  OffsetDateTime startOfDayOneWeekAgo() {
    return startOf(today().minusWeeks(1));
  }

  /** The full hour on the local clock, at the current offset, even in an hour that repeats. */
  OffsetDateTime startOfHour() {
    return processTime.toOffsetDateTime().truncatedTo(ChronoUnit.HOURS);
  }

  private OffsetDateTime startOf(LocalDate day) {
    return day.atStartOfDay(processTime.getZone()).toOffsetDateTime();
  }
}
