package dev.carillon.client;

import java.math.BigDecimal;
import java.time.Duration;

/** Numbers of seconds, as the API writes durations that are measured. */
final class Seconds {

  private static final int NANO_DIGITS = 9;

  private Seconds() {}

  /** The duration, cut to whole nanoseconds. */
  static Duration duration(BigDecimal seconds) {
    return Duration.ofNanos(seconds.movePointRight(NANO_DIGITS).longValue());
  }
}
