package dev.carillon.calendar;

import dev.carillon.id.CalendarId;
import dev.carillon.time.Exclusion;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A calendar as it is stored. A fire that is due after the last change follows the new version; an
 * earlier fire follows the previous version. So a late or repeated check of a fire has the same
 * result as the first check.
 *
 * @param version grows with each stored change; the ETag. It starts with the clock, so that the
 *     version of a deleted calendar never recurs
 * @param before the version before the last change; null if the calendar never changed
 */
public record StoredCalendar(
    CalendarId id,
    long version,
    NamedCalendar current,
    @Nullable NamedCalendar before,
    Instant createdAt,
    String createdBy,
    Instant changedAt,
    String changedBy)
    implements Exclusion {

  /** Creates a calendar. */
  public static StoredCalendar created(
      CalendarId id, NamedCalendar calendar, Instant now, String by) {
    return new StoredCalendar(id, now.toEpochMilli(), calendar, null, now, by, now, by);
  }

  public StoredCalendar changed(NamedCalendar calendar, Instant now, String by) {
    return new StoredCalendar(id, version + 1, calendar, current, createdAt, createdBy, now, by);
  }

  @Override
  public Optional<Excluded> around(Instant instant) {
    NamedCalendar old = before;
    if (old == null) {
      return current.around(instant);
    }
    Instant boundary = changedAt.plusMillis(1);
    return instant.isBefore(boundary)
        ? old.around(instant).map(it -> new Excluded(it.from(), earlier(it.to(), boundary)))
        : current.around(instant).map(it -> new Excluded(later(it.from(), boundary), it.to()));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
