package dev.carillon.calendar;

import dev.carillon.id.CalendarId;
import dev.carillon.time.Exclusion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A calendar as it is stored. A fire follows the version of its instant, because a late or repeated
 * check of the fire must have the same result as the first check, and a suspension can keep fires
 * for long.
 *
 * @param version grows with each stored change; the ETag. It starts with the clock, so that the
 *     version of a deleted calendar never recurs
 * @param former the versions before {@code current} that excluded other times, the oldest first
 */
public record StoredCalendar(
    CalendarId id,
    long version,
    NamedCalendar current,
    List<Former> former,
    Instant createdAt,
    String createdBy,
    Instant changedAt,
    String changedBy)
    implements Exclusion {

  /** The limit keeps the item small. Earlier fires follow the oldest version that is kept. */
  static final int MOST_FORMER = 8;

  /**
   * A version that was replaced.
   *
   * @param until the last instant at which it applied
   */
  public record Former(NamedCalendar calendar, Instant until) {}

  public StoredCalendar {
    former = List.copyOf(former);
  }

  /** Creates a calendar. */
  public static StoredCalendar created(
      CalendarId id, NamedCalendar calendar, Instant now, String by) {
    return new StoredCalendar(id, now.toEpochMilli(), calendar, List.of(), now, by, now, by);
  }

  public StoredCalendar changed(NamedCalendar calendar, Instant now, String by) {
    List<Former> kept = new ArrayList<>(former);
    if (!calendar.excludesTheTimesOf(current)) {
      // The clock of this writer can be behind that of the writer before.
      Instant last = kept.isEmpty() ? now : kept.get(kept.size() - 1).until();
      kept.add(new Former(current, later(now, last)));
    }
    List<Former> newest = kept.subList(Math.max(0, kept.size() - MOST_FORMER), kept.size());
    return new StoredCalendar(id, version + 1, calendar, newest, createdAt, createdBy, now, by);
  }

  @Override
  public Optional<Excluded> around(Instant instant) {
    Instant from = Instant.MIN;
    for (Former one : former) {
      Instant to = one.until().plusMillis(1);
      if (instant.isBefore(to)) {
        return within(from, to, one.calendar().around(instant));
      }
      from = to;
    }
    return within(from, Instant.MAX, current.around(instant));
  }

  private static Optional<Excluded> within(Instant from, Instant to, Optional<Excluded> excluded) {
    return excluded.map(it -> new Excluded(later(it.from(), from), earlier(it.to(), to)));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
