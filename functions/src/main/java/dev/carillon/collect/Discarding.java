package dev.carillon.collect;

import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Drops what was collected for a schedule under an earlier definition. */
final class Discarding {

  private final Jobs jobs;
  private final OptimisticUpdate updates;
  private final InstantSource clock;

  Discarding(Jobs jobs, OptimisticUpdate updates, InstantSource clock) {
    this.jobs = jobs;
    this.updates = updates;
    this.clock = clock;
  }

  /**
   * @param isDropped whether the change drops all counts of the schedule, so that a collecting job
   *     that cannot be read is replaced
   * @return how many jobs were cancelled; empty if every attempt was a lost race
   */
  OptionalInt discard(Head head, boolean isDropped) {
    try {
      return OptionalInt.of(updates.run(head.id(), () -> discardOnce(head, isDropped)));
    } catch (ContentionException contention) {
      return OptionalInt.empty();
    }
  }

  /** Replaces a collecting job that cannot be read by one that has counted nothing. */
  void replaceUnreadable(ScheduleId schedule) {
    Instant now = clock.instant();
    try {
      var unused = jobs.collectingJob(schedule, now);
    } catch (UnreadableItems damaged) {
      boolean unused = jobs.overwrite(CollectingJob.standIn(schedule, now), now);
    }
  }

  private Attempt<Integer> discardOnce(Head head, boolean isDropped) {
    Instant now = clock.instant();
    CollectingJob stored;
    try {
      stored = jobs.collectingJob(head.id(), now).map(it -> it.collectingJob()).orElse(null);
    } catch (UnreadableItems damaged) {
      if (isDropped) {
        return Attempt.of(jobs.overwrite(CollectingJob.standIn(head.id(), now), now), 0);
      }
      throw damaged;
    }
    if (stored == null || head.life().isLive(stored.activation())) {
      return Attempt.done(0);
    }
    OpenJob open = stored.open();
    if (open == null && stored.wakeup() == null) {
      return Attempt.done(0);
    }
    List<Job> cancelled =
        open == null
            ? List.of()
            : List.of(open.cancelled(stored.activation(), head.program(), now));
    return Attempt.of(
        jobs.save(stored, stored.emptied(), Set.of(), cancelled, now), cancelled.size());
  }
}
