package dev.carillon.job;

import dev.carillon.schedule.ScheduleId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule with an event trigger has counted so far: at most one job in PENDING_TRIGGER.
 * Stored as one row for each schedule, changed on condition of its version.
 *
 * @param version counts the stored changes, from 1
 * @param activation the schedule's activation that the counts belong to; another one begins anew
 * @param nextSequence the sequence number of the next job to be opened
 * @param advancedTo the fires of time leaves up to here have been applied
 * @param open the job that is being collected; null until its first event
 */
public record Accumulator(
    ScheduleId schedule,
    long version,
    long generation,
    long activation,
    long nextSequence,
    Instant advancedTo,
    @Nullable OpenJob open) {

  /** The same without the job that was being collected. */
  public Accumulator emptied() {
    return new Accumulator(
        schedule, version + 1, generation, activation, nextSequence, advancedTo, null);
  }

  /** A job in PENDING_TRIGGER. */
  public record OpenJob(JobId id, Instant openedAt, Occasion occasion) {}
}
