package dev.carillon.collect;

import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.WhilePending;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of fires and events: it depends on whether a satisfied job of the schedule waits.
 */
sealed interface WaitingPolicy {

  /**
   * @param waiting the latest job whose trigger was satisfied, if it still waits; null if none does
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

  /** Why a fire that is a job by itself ends SKIPPED; null if it becomes a job that waits. */
  @Nullable Reason whySkipped();

  /** Nothing waits, or jobs queue behind it: what comes makes a job of its own. */
  record Collect() implements WaitingPolicy {
    @Override
    public @Nullable Reason whySkipped() {
      return null;
    }
  }

  /**
   * What comes is added to a job that waits. Its request has not been sent: what may have been sent
   * under its id must not become something else.
   */
  record Merge(Job into) implements WaitingPolicy {

    /**
     * @param isNew whether the job itself is not stored yet, so that this is still its first
     *     version
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
   * What comes is dropped.
   *
   * @param skipped what one pass drops is recorded as one job; null until something is dropped
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
