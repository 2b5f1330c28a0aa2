package dev.carillon.bench.crash;

import dev.carillon.checker.CheckProcessor;
import java.time.Duration;
import java.time.Instant;

/**
 * A kill of an engine.
 *
 * @param at when it was dead
 * @param readyAgain when the next one was ready
 */
record Kill(Instant at, Instant readyAgain) {

  /**
   * Whether this may be why what was sent at {@code first} was sent again at {@code second}: its
   * launcher still held it.
   */
  boolean explains(Instant first, Instant second) {
    return !first.isAfter(at)
        && first.isAfter(at.minus(CheckProcessor.LEASE))
        && second.isAfter(at);
  }

  /** Whether what was due then was launched only when an engine was ready again. */
  boolean isDelaying(Instant due, Instant launched) {
    return !due.isAfter(readyAgain) && !launched.isBefore(readyAgain);
  }

  /** For how long nothing was ready because of it, as far as it was since that instant. */
  Duration downSince(Instant instant) {
    return Duration.between(instant.isAfter(at) ? instant : at, readyAgain);
  }

  boolean isDuring(Instant instant) {
    return instant.isAfter(at) && !instant.isAfter(readyAgain);
  }
}
