package dev.carillon.constraint;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The local time must be in [from, to). If {@code from} is after {@code to}, the window crosses
 * midnight.
 *
 * @param from the second of the day at which it opens
 * @param to the second of the day at which it closes, at most {@link #END_OF_DAY}
 * @param ownZone null for the schedule's zone
 * @param days the days on which it opens; all days if it opens every day
 */
public record TimeWindow(
    int from, int to, @Nullable ZoneId ownZone, Set<DayOfWeek> days, OnUnmet onUnmet)
    implements Constraint {

  /** {@code 24:00}. */
  public static final int END_OF_DAY = 24 * 60 * 60;

  /** A window opens within this many days, even if a zone skips days. */
  private static final int MOST_DAYS = 21;

  @Override
  public String type() {
    return "timeWindow";
  }

  private ZoneRules rules(ZoneId usual) {
    return zone(usual).getRules();
  }

  private ZoneId zone(ZoneId usual) {
    return ownZone == null ? usual : ownZone;
  }

  /**
   * @param usual the schedule's zone
   */
  boolean isOpen(Instant instant, ZoneId usual) {
    LocalDateTime local = instant.atZone(zone(usual)).toLocalDateTime();
    int second = local.toLocalTime().toSecondOfDay();
    LocalDate date = local.toLocalDate();
    if (from < to) {
      return from <= second && second < to && opensOn(date);
    }
    return (from <= second && opensOn(date)) || (second < to && opensOn(date.minusDays(1)));
  }

  private boolean opensOn(LocalDate date) {
    return days.contains(date.getDayOfWeek());
  }

  /**
   * The first instant at which the window is open, after an instant at which it is not. If clocks
   * are set forward over the opening, the window opens at the first instant after the change.
   */
  Instant nextOpening(Instant after, ZoneId usual) {
    ZoneRules rules = rules(usual);
    Instant byClock = nextOpeningByClock(after, usual);
    ZoneOffsetTransition change = rules.nextTransition(after);
    while (change != null && change.getInstant().isBefore(byClock)) {
      if (isOpen(change.getInstant(), usual)) {
        return change.getInstant();
      }
      change = rules.nextTransition(change.getInstant());
    }
    return byClock;
  }

  private Instant nextOpeningByClock(Instant after, ZoneId usual) {
    LocalDate date = after.atZone(zone(usual)).toLocalDate().minusDays(1);
    for (int day = 0; day < MOST_DAYS; day++) {
      Optional<Instant> opening = openingOn(date.plusDays(day), after, usual);
      if (opening.isPresent()) {
        return opening.get();
      }
    }
    throw new IllegalStateException(this + " does not open");
  }

  private Optional<Instant> openingOn(LocalDate date, Instant after, ZoneId usual) {
    if (!opensOn(date)) {
      return Optional.empty();
    }
    LocalDateTime opening = date.atTime(LocalTime.ofSecondOfDay(from));
    return rules(usual).getValidOffsets(opening).stream()
        .map((ZoneOffset offset) -> opening.toInstant(offset))
        .filter(instant -> instant.isAfter(after))
        .min(Comparator.naturalOrder());
  }

  String reason(ZoneId usual) {
    return "its time window from %s to %s%s in %s is closed"
        .formatted(
            ClockTime.text(from),
            ClockTime.text(to),
            days.size() == DayOfWeek.values().length ? "" : " on " + Days.text(days),
            zone(usual));
  }
}
