package dev.carillon.fires;

import dev.carillon.id.JobId;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a timer continues.
 *
 * @param next its next fire; empty if it has none
 * @param isDecided whether the next fire is handed over; false if it must still be decided on
 * @param decidedTo missed fires up to this instant are handed over, however late they are; null if
 *     nothing was decided
 * @param missedTo fires after {@code decidedTo} up to this instant must be decided on as well; null
 *     if there are none
 * @param skipped the job that records skipped fires, if the last fire is among them
 */
record Plan(
    Optional<Instant> next,
    boolean isDecided,
    @Nullable Instant decidedTo,
    @Nullable Instant missedTo,
    Optional<JobId> skipped) {

  static Plan unchanged(Timer timer, Instant missedTo) {
    return new Plan(
        Optional.of(timer.dueAt()),
        true,
        timer.decidedTo(),
        timer.catchUp().isEverything() ? null : missedTo,
        Optional.empty());
  }

  boolean handsOver(Instant fire) {
    boolean isDecidedOn = decidedTo != null && !fire.isAfter(decidedTo);
    return isDecided && (missedTo == null || isDecidedOn || fire.isAfter(missedTo));
  }
}
