package dev.carillon.job;

import java.util.List;

/**
 * The codes of reasons. The names are stored and are part of the API, so a code keeps its name and
 * the order of its arguments. {@code BY_HAND} in a name means that a caller did it.
 */
public enum ReasonCode {
  /** A caller launched the job with launch-now. */
  LAUNCHED_BY_HAND("launched manually"),
  /** Arguments: the time-out, a duration. */
  LAUNCHED_AT_TIMEOUT("launched at its time-out of %s although not all conditions hold"),
  /** A checker that leased the job earlier did not store the outcome. */
  LAUNCH_INTERRUPTED("its launch was interrupted"),
  /** Arguments: the placeholders of the template that have no value. */
  TEMPLATE_INCOMPLETE("%s"),
  /**
   * The job waits or, if the constraint says {@code onUnmet: skip}, has ended. Arguments: the unmet
   * constraints.
   */
  CONSTRAINTS_UNMET("%s"),
  /**
   * The job waits for the end of a suspension. Arguments: the suspension in words, with its caller,
   * instant and mode.
   */
  HELD_BY_SUSPENSION("its schedule is %s"),
  /**
   * The target queue refused the request; Carillon sends it again. Arguments: the answer of the
   * queue.
   */
  REQUEST_REFUSED("%s"),
  /**
   * The deployment does not allow the target now; the request is tried again. Arguments: why not.
   */
  TARGET_NOT_ALLOWED("%s"),
  /** Arguments: how many checks of the job failed. */
  CHECKS_FAILED("its check failed %s times"),
  /** No queue would ever accept the request. Arguments: why not. */
  REQUEST_IMPOSSIBLE("%s"),
  /** The schedule lets the patterns of the pools choose its pool, and none matches the request. */
  POOL_MISSING("no pool matches its request; give a pool a \"match\" that fits, or name a pool"),
  /** Arguments: the id of the event, the reported status. */
  RUN_ENDED("event %s reported that its run %s"),
  /** Arguments: the worker. */
  CLAIMED("claimed by worker %s"),
  /** Arguments: the enqueue time-out. */
  CLAIM_MISSING("no worker claimed it within %s"),
  /** Arguments: the worker, the claim time-out. */
  START_MISSING("worker %s sent no report within %s of its claim"),
  /** Arguments: the worker, the heartbeat time-out. */
  HEARTBEAT_MISSING("worker %s sent no heartbeat for %s"),
  /** Arguments: the worker, the run time-out. */
  RUN_TOO_LONG("worker %s did not end the run within %s"),
  /** Arguments: the worker. */
  SUCCESS_REPORTED("worker %s reported success"),
  /** Arguments: the worker, the error that it gave. */
  FAILURE_REPORTED("worker %s reported a failure: %s"),
  /** Arguments: the caller. */
  CANCELLED_BY_HAND("cancelled by %s"),
  /** Arguments: the caller. */
  CANCEL_REQUESTED("%s asked the job's worker to stop"),
  /** Arguments: the caller. */
  RETRIED_BY_HAND("retried by %s"),
  /** Arguments: the run time-out. */
  RUN_END_MISSING("no end was reported within %s of its launch"),
  /** Arguments: the time-out. */
  TRIGGER_TIMED_OUT("its trigger was not satisfied within %s"),
  /** Arguments: the time-out, the unmet constraints. */
  CONSTRAINTS_TIMED_OUT("its constraints did not hold within %s: %s"),
  /** Arguments: the time-out, why the request was refused the last time. */
  REQUEST_TIMED_OUT("its request was not accepted within %s: %s"),
  /** Arguments: the id of the job that this one was merged into. */
  MERGED_INTO_WAITING("merged into job %s, which still waits"),
  /** Arguments: the id of the waiting job. */
  DROPPED_FOR_WAITING("job %s of the schedule still waits"),
  /** Arguments: how many fires, the first, the last, the {@code catchUp} policy. */
  MISSED_FIRES("catchUp %4$s skipped %1$s missed fires from %2$s to %3$s"),
  /** Arguments: the caller. */
  SKIPPED_BY_HAND("skipped in advance by %s"),
  /** The schedule was changed while the job was collecting events. */
  TRIGGER_CANCELLED(
      "the schedule was changed, suspended or deleted before the trigger was satisfied"),
  /** Arguments: none, or {@link Reason#INTERRUPTED}. */
  SCHEDULE_DELETED("the schedule was deleted"),
  /** Arguments: as for {@link #SCHEDULE_DELETED}. */
  SCHEDULE_CHANGED("the schedule was changed"),
  /** Arguments: as for {@link #SCHEDULE_DELETED}. */
  SCHEDULE_SUSPENDED("the schedule was suspended"),
  /** Arguments: as for {@link #SCHEDULE_DELETED}. */
  BACKFILL_CANCELLED("its backfill was cancelled"),
  /** The reason of a job that was not launched because its backfill is outdated. */
  BACKFILL_OUTDATED("the schedule was changed, suspended or deleted");

  private final String format;

  ReasonCode(String format) {
    this.format = format;
  }

  String text(List<String> arguments) {
    String text = format.formatted(arguments.toArray());
    return switch (this) {
      case MISSED_FIRES ->
          arguments.get(0).equals("1") ? text.replaceFirst("missed fires", "missed fire") : text;
      case SCHEDULE_DELETED, SCHEDULE_CHANGED, SCHEDULE_SUSPENDED, BACKFILL_CANCELLED ->
          arguments.contains(Reason.INTERRUPTED)
              ? text + " after its launch was interrupted; the request may have been sent"
              : text;
      default -> text;
    };
  }
}
