package dev.carillon.client;

import java.math.BigDecimal;
import java.time.Duration;

/** Converts numbers of seconds, which the API uses for measured durations. */
final class Seconds {

  private static final int NANO_DIGITS = 9;

  private Seconds() {}

  /** The duration, cut to whole nanoseconds. */
  static Duration duration(BigDecimal seconds) {
    return Duration.ofNanos(seconds.movePointRight(NANO_DIGITS).longValue());
  }
}
