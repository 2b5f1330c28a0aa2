package dev.carillon.bench.crash;

import dev.carillon.checker.CheckProcessor;
import java.time.Duration;
import java.time.Instant;

/**
 * A kill of an engine.
 *
 * @param at when the engine was dead
 * @param readyAgain when the next engine was ready
 */
record Kill(Instant at, Instant readyAgain) {

  /**
   * Whether the kill explains why a request that was sent at {@code first} was sent again at {@code
   * second}: the killed checker still had a lease on the job.
   */
  boolean explains(Instant first, Instant second) {
    return !first.isAfter(at)
        && first.isAfter(at.minus(CheckProcessor.LEASE))
        && second.isAfter(at);
  }

  /** Whether a launch that was due at {@code due} had to wait for the next engine. */
  boolean isDelaying(Instant due, Instant launched) {
    return !due.isAfter(readyAgain) && !launched.isBefore(readyAgain);
  }

  /** How long no engine was ready after the instant, because of this kill. */
  Duration downSince(Instant instant) {
    return Duration.between(instant.isAfter(at) ? instant : at, readyAgain);
  }

  boolean isDuring(Instant instant) {
    return instant.isAfter(at) && !instant.isAfter(readyAgain);
  }
}
