package dev.carillon.collect;

import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.WhilePending;
import org.jspecify.annotations.Nullable;

/**
 * How a schedule treats fires and events. This depends on whether its latest job whose trigger was
 * satisfied still waits.
 */
sealed interface WaitingPolicy {

  /**
   * @param waiting the schedule's latest job whose trigger was satisfied, if the job still waits;
   *     otherwise null
   */
  static WaitingPolicy of(WhilePending asked, @Nullable Job waiting) {
    if (waiting == null) {
      return new Collect();
    }
    return switch (asked) {
      case QUEUE -> new Collect();
      case MERGE -> waiting.mayHaveBeenSent() ? new Collect() : new Merge(waiting);
      case SKIP -> new Skip(waiting, null);
    };
  }

  /** The reason for ending a job of one fire as SKIPPED; null if the job becomes a waiting job. */
  @Nullable Reason whySkipped();

  /**
   * No job waits, or jobs queue behind the waiting job: further fires and events make a separate
   * job.
   */
  record Collect() implements WaitingPolicy {
    @Override
    public @Nullable Reason whySkipped() {
      return null;
    }
  }

  /**
   * Fires and events are merged into a waiting job whose request was certainly not sent. Jobs that
   * may have been sent must not change.
   */
  record Merge(Job into) implements WaitingPolicy {

    /**
     * Merges what is given into the waiting job.
     *
     * @param isNew whether the waiting job is not stored yet, so that the merged job still is its
     *     first version
     */
    Merge grown(TriggerState triggerState, boolean isNew) {
      return new Merge(isNew ? into.withTriggerState(triggerState) : into.grown(triggerState));
    }

    @Override
    public Reason whySkipped() {
      return Reason.of(ReasonCode.MERGED_INTO_WAITING, into.id());
    }
  }

  /**
   * Fires and events are dropped.
   *
   * @param skipped the one job that records all fires and events that a pass drops; null until one
   *     is dropped
   */
  record Skip(Job behind, @Nullable OpenJob skipped) implements WaitingPolicy {

    Skip with(OpenJob dropped) {
      return new Skip(behind, dropped);
    }

    @Override
    public Reason whySkipped() {
      return Reason.of(ReasonCode.DROPPED_FOR_WAITING, behind.id());
    }
  }
}
