package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule with an event trigger has counted so far: at most one job in PENDING_TRIGGER, and
 * what outlives it. Stored as one row for each schedule, changed on condition of its version.
 *
 * @param version counts the stored changes, from 1
 * @param activation the schedule's activation that the counts belong to; a later one takes them
 *     over, unless it has cancelled them
 * @param nextSequence the sequence number of the next job to be opened
 * @param advancedTo the fires of time leaves up to here have been applied
 * @param clocks since when leaves wait for time to pass, by their numbers
 * @param wakeup the plan of its next wake-up, for them or a time-out; null for none
 * @param open the job that is being collected; null until its first event
 * @param latest the last job whose trigger was satisfied, where it matters whether that still
 *     waits; null elsewhere
 */
public record CollectingJob(
    ScheduleId schedule,
    long version,
    long generation,
    long activation,
    long nextSequence,
    Instant advancedTo,
    @Nullable OpenJob open,
    Map<Integer, LeafClock> clocks,
    Wakeup.@Nullable Plan wakeup,
    @Nullable JobId latest) {

  /** Of a schedule whose trigger waits for no time to pass. */
  public CollectingJob(
      ScheduleId schedule,
      long version,
      long generation,
      long activation,
      long nextSequence,
      Instant advancedTo,
      @Nullable OpenJob open) {
    this(
        schedule,
        version,
        generation,
        activation,
        nextSequence,
        advancedTo,
        open,
        Map.of(),
        null,
        null);
  }

  /** The same without the job that was being collected. */
  public CollectingJob emptied() {
    return new CollectingJob(
        schedule, version + 1, generation, activation, nextSequence, advancedTo, null);
  }

  /** A job in PENDING_TRIGGER. */
  public record OpenJob(JobId id, Instant openedAt, TriggerState triggerState) {

    /** The same with what it has counted now. */
    public OpenJob with(TriggerState counted) {
      return new OpenJob(id, openedAt, counted);
    }

    /** Its row if it ends without a launch. */
    public Job ended(JobState end, long activation, String program, Instant now, Reason reason) {
      return NewJob.endedBeforeLaunch(id, activation, program, end, triggerState, now, reason);
    }

    /** Its row if its schedule was changed while it was being collected. */
    public Job cancelled(long activation, String program, Instant now) {
      Reason reason = Reason.of(ReasonCode.TRIGGER_CANCELLED);
      return ended(JobState.CANCELLED, activation, program, now, reason);
    }
  }
}
