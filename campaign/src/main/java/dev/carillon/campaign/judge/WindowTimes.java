package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Limits.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** Determines when a daily window is open, from the local time of each second. */
final class WindowTimes {

  private static final int SECOND = 1_000;

  /** The longest time, in milliseconds, for which scenarios close a window. */
  private static final int LONGEST_CLOSED = 3_600_000;

  private WindowTimes() {}

  /** Whether the window is open at an instant. */
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

  /** Whether the window is closed all the time from one instant to another. */
  static boolean isClosed(Window window, long from, long to) {
    for (long at = from; at <= to; at = next(at)) {
      if (isOpen(window, at)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the window is open all the time from one instant to another. */
  static boolean staysOpen(Window window, long from, long to) {
    for (long at = from; at <= to; at = next(at)) {
      if (!isOpen(window, at)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The first instant, from a given one on, at which the window is open; NEVER if that is much
   * later.
   */
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
