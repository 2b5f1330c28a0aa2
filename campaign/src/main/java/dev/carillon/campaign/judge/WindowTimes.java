package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Limits.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** When a daily window is open, found by reading the local time of each second. */
final class WindowTimes {

  private static final int SECOND = 1_000;

  /** Scenarios close no window for longer than this. */
  private static final int LONGEST_CLOSED = 3_600_000;

  private WindowTimes() {}

  /** Whether it is open at an instant. */
  static boolean isOpen(Window window, long instant) {
    ZonedDateTime local = Instant.ofEpochMilli(instant).atZone(ZoneId.of(window.zone()));
    int second = local.toLocalTime().toSecondOfDay();
    DayOfWeek day = local.getDayOfWeek();
    boolean opensToday = window.days().contains(day);
    if (window.from() < window.to()) {
      return opensToday && second >= window.from() && second < window.to();
    }
    boolean openedYesterday = window.days().contains(day.minus(1));
    return (opensToday && second >= window.from()) || (openedYesterday && second < window.to());
  }

  /** Whether it is closed all the time from one instant to another. */
  static boolean isClosed(Window window, long from, long to) {
    for (long at = from; at <= to; at = next(at)) {
      if (isOpen(window, at)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is open all the time from one instant to another. */
  static boolean staysOpen(Window window, long from, long to) {
    for (long at = from; at <= to; at = next(at)) {
      if (!isOpen(window, at)) {
        return false;
      }
    }
    return true;
  }

  /** The first instant from then on at which it is open; NEVER if that is long after. */
  static long opening(Window window, long from) {
    for (long at = from; at <= from + LONGEST_CLOSED; at = next(at)) {
      if (isOpen(window, at)) {
        return at;
      }
    }
    return History.NEVER;
  }

  private static long next(long at) {
    return at / SECOND * SECOND + SECOND;
  }
}
