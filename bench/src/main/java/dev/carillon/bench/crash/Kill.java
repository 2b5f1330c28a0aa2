package dev.carillon.bench.crash;

import dev.carillon.checker.Launcher;
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
    return !first.isAfter(at) && first.isAfter(at.minus(Launcher.LEASE)) && second.isAfter(at);
  }

  boolean isDuring(Instant instant) {
    return instant.isAfter(at) && !instant.isAfter(readyAgain);
  }
}
