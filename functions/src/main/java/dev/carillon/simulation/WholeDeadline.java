package dev.carillon.simulation;

import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * A deadline of which no part passes before the whole. A function that divides its time would
 * otherwise leave work to a later instant of the virtual clock.
 */
final class WholeDeadline {

  private static final Instant END = Instant.EPOCH.plus(Duration.ofDays(1));

  private WholeDeadline() {}

  static Deadline of(BooleanSupplier hasPassed) {
    return new Deadline(END, () -> hasPassed.getAsBoolean() ? END : Instant.EPOCH);
  }
}
