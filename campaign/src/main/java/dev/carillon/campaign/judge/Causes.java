package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.LaunchFailure;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import org.jspecify.annotations.Nullable;

/**
 * The causes that may have kept a job from launching, derived from the requests and the observed
 * failures. A stored job that was not launched is accepted only if such a cause exists.
 */
record Causes(History history) {

  static final String MERGED = "MERGED_INTO_WAITING";
  static final String DROPPED = "DROPPED_FOR_WAITING";
  static final String MISSED = "MISSED_FIRES";
  static final String SKIPPED_BY_HAND = "SKIPPED_BY_HAND";
  static final String TRIGGER_TIMED_OUT = "TRIGGER_TIMED_OUT";

  private static final String CONSTRAINTS_TIMED_OUT = "CONSTRAINTS_TIMED_OUT";
  private static final String REQUEST_TIMED_OUT = "REQUEST_TIMED_OUT";

  /**
   * The largest difference between the timestamps of two functions: their clocks differ, and either
   * may have stalled.
   */
  static final long DATING_TOLERANCE = Judge.IN_FLIGHT + 2 * Judge.SKEW;

  /** The longest time that a launch waits for the end of another job's run. */
  private static final long QUEUE = 240_000;

  /** Whether a job of a document may have ended as it is stored, without a launch. */
  boolean explain(StoredJob stored, ScheduleSpec spec) {
    return switch (stored.state()) {
      case "TIMED_OUT" -> mayTimeOut(stored, spec);
      case "SKIPPED" ->
          mayBeMergedOrDropped(stored, spec) || new UnmetCauses(history).explain(stored, spec);
      default -> false;
    };
  }

  /** Whether a cause that the stored job names may have held the job back until its time-out. */
  private boolean mayTimeOut(StoredJob stored, ScheduleSpec spec) {
    if (!spec.waits().discards()) {
      return false;
    }
    return switch (stored.why().code()) {
      case TRIGGER_TIMED_OUT -> !spec.isPlain();
      case CONSTRAINTS_TIMED_OUT ->
          mayBeDelayed(spec)
              || mayGaugeBeClosed(stored)
              || (spec.limit() > 0 && mayHaveToQueue(stored));
      case REQUEST_TIMED_OUT -> hadLaunchFailure(stored.jobId(), stored.changed() + Judge.SKEW);
      default -> false;
    };
  }

  /**
   * The delay and the time-out of a fire both start at the fire; for other triggers the delay
   * starts later.
   */
  private static boolean mayBeDelayed(ScheduleSpec spec) {
    WaitPolicy waits = spec.waits();
    return spec.isPlain() ? waits.delay() > waits.timeout() : waits.delay() > 0;
  }

  /** Whether the gauge may have been open for too short a time to let all waiting jobs pass. */
  private boolean mayGaugeBeClosed(StoredJob stored) {
    return history.openFrom() > history.start()
        && (history.openFrom() == History.NEVER
            || stored.changed() <= history.bound(history.openFrom()) + Judge.IN_FLIGHT);
  }

  /** Whether another job may have held the slot. */
  private boolean mayHaveToQueue(StoredJob stored) {
    long from = stored.began() - QUEUE;
    long to = stored.changed() + QUEUE;
    return history.arrivals().stream()
            .filter(other -> !other.jobId().equals(stored.jobId()))
            .anyMatch(other -> other.at() >= from && other.at() <= to)
        || history.jobs().stream()
            .filter(other -> !other.jobId().equals(stored.jobId()))
            .anyMatch(other -> other.changed() >= from && other.first() <= to);
  }

  private boolean hadLaunchFailure(String jobId, long until) {
    return history.launchFailures().stream()
        .filter(launchFailure -> launchFailure.jobId().equals(jobId))
        .mapToLong(LaunchFailure::at)
        .anyMatch(at -> at <= until);
  }

  private boolean mayBeMergedOrDropped(StoredJob stored, ScheduleSpec spec) {
    Pending pending = pending(stored);
    return pending != null
        && spec.waits().pending() == pending
        && mayHaveWaited(stored.why().arguments().get(0), stored.changed());
  }

  /**
   * The {@code whilePending} rule by which the fire or event became no job of its own; null for
   * none.
   */
  static @Nullable Pending pending(StoredJob stored) {
    return switch (stored.why().code()) {
      case MERGED -> Pending.MERGE;
      case DROPPED -> Pending.SKIP;
      default -> null;
    };
  }

  /** Whether a job may have existed at an instant without having been launched. */
  boolean mayHaveWaited(String jobId, long instant) {
    return history.jobs().stream()
            .filter(stored -> stored.jobId().equals(jobId))
            .filter(stored -> stored.began() <= instant + DATING_TOLERANCE)
            .anyMatch(stored -> !stored.ended() || stored.changed() >= instant - DATING_TOLERANCE)
        && (hadLaunchFailure(jobId, instant + Judge.SKEW)
            || history.arrivals().stream()
                .filter(arrival -> arrival.jobId().equals(jobId) && !arrival.explained())
                .mapToLong(Arrival::at)
                .noneMatch(at -> at < instant - DATING_TOLERANCE));
  }
}
