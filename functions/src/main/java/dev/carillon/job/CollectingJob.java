package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a schedule with an event trigger: at most one open job in PENDING_TRIGGER, and the
 * counts that stay when this job has ended. It is stored as one item for each schedule, and changed
 * on condition of its version.
 *
 * @param version counts the stored changes, from 1
 * @param activation the schedule's activation to which the counts belong; a later activation takes
 *     the counts over, unless it has cancelled them
 * @param nextSequence the sequence number of the next job to open
 * @param advancedTo the instant up to which fires of time leaves have been applied
 * @param clocks by the number of a leaf, since when this leaf waits for its period to elapse
 * @param wakeup the plan of the next wake-up, for a leaf or a time-out; null for none
 * @param open the job that is collecting; null until its first event
 * @param latest the last job whose trigger was satisfied, if it matters whether it still waits;
 *     null otherwise
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

  private static final long NO_GENERATION = 0;

  /** The counts of a schedule without leaves that wait for a period to elapse. */
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

  /**
   * A stand-in for a collecting job that cannot be read. Its version and its sequence number exceed
   * those of the lost collecting job. It belongs to no activation, so the next activation takes no
   * counts over. Fires up to now count as applied, because it is unknown which of them the lost
   * collecting job had applied.
   */
  public static CollectingJob standIn(ScheduleId schedule, Instant now) {
    return new CollectingJob(
        schedule, now.toEpochMilli(), NO_GENERATION, 0, now.getEpochSecond(), now, null);
  }

  public boolean isStandIn() {
    return generation == NO_GENERATION;
  }

  /** The counts without the open job. */
  public CollectingJob emptied() {
    return new CollectingJob(
        schedule, version + 1, generation, activation, nextSequence, advancedTo, null);
  }

  /** A job in PENDING_TRIGGER. */
  public record OpenJob(JobId id, Instant openedAt, TriggerState triggerState) {

    /** The job with new counts. */
    public OpenJob with(TriggerState counted) {
      return new OpenJob(id, openedAt, counted);
    }

    /** The job to store if this open job ends without a launch. */
    public Job ended(JobState end, long activation, String program, Instant now, Reason reason) {
      Job ended = NewJob.endedBeforeLaunch(id, activation, program, end, triggerState, now, reason);
      return ended.withTransitions(
          List.of(
              new Transition(openedAt, JobState.PENDING_TRIGGER, null),
              new Transition(now, end, reason)));
    }

    /** The job to store if the schedule is changed while this job is collecting. */
    public Job cancelled(long activation, String program, Instant now) {
      Reason reason = Reason.of(ReasonCode.TRIGGER_CANCELLED);
      return ended(JobState.CANCELLED, activation, program, now, reason);
    }
  }
}
