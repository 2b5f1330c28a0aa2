package dev.carillon.calendar;

import dev.carillon.calendar.NamedCalendar.Range;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A part of the day on some days of the week.
 *
 * @param days the days on which the window opens
 * @param from the second of the day at which the window opens
 * @param to the second of the day at which the window closes, at most {@link #DAY}; if {@code to}
 *     is not after {@code from}, the window closes on the next day
 */
record WeeklyWindow(Set<DayOfWeek> days, int from, int to) {

  static final int DAY = 24 * 60 * 60;

  private static final int WEEK = 7 * DAY;

  /** The window that opens on a date, if one does. */
  Optional<Range> on(LocalDate opening) {
    if (!days.contains(opening.getDayOfWeek())) {
      return Optional.empty();
    }
    LocalDateTime midnight = opening.atStartOfDay();
    return Optional.of(
        new Range(midnight.plusSeconds(from), midnight.plusSeconds(from + length())));
  }

  private int length() {
    return from < to ? to - from : to - from + DAY;
  }

  /** Whether the windows leave no time of a week. */
  static boolean coverTheWeek(List<WeeklyWindow> windows) {
    BitSet covered = new BitSet(2 * WEEK);
    for (WeeklyWindow window : windows) {
      for (DayOfWeek day : window.days) {
        int begin = (day.getValue() - 1) * DAY + window.from;
        covered.set(begin, begin + window.length());
      }
    }
    covered.or(covered.get(WEEK, 2 * WEEK));
    return covered.nextClearBit(0) >= WEEK;
  }
}
