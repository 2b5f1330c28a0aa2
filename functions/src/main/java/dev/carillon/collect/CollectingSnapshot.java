package dev.carillon.collect;

import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a pass begins with.
 *
 * @param before what is stored; null if nothing is
 * @param waiting the latest job whose trigger was satisfied, if it still waits and the schedule
 *     does not queue others behind it; null if there is none
 * @param now what comes now; a clock that is behind what was applied already takes that for now
 */
public record CollectingSnapshot(
    Compiled compiled,
    Head head,
    Jobs.@Nullable Recalled before,
    @Nullable Job waiting,
    Instant now) {

  Schedule schedule() {
    return compiled.schedule();
  }

  @Nullable CollectingJob stored() {
    return before == null ? null : before.collectingJob();
  }

  /** The hashes of the ids of events that are counted already. */
  Set<Long> seen() {
    return before == null ? Set.of() : before.seen();
  }

  /** What is stored, unless a change of the schedule has cancelled it. */
  @Nullable CollectingJob kept() {
    CollectingJob stored = stored();
    return stored != null && head.life().isLive(stored.activation()) ? stored : null;
  }

  /** What is stored and was cancelled by a change of the schedule. */
  @Nullable CollectingJob cancelled() {
    return kept() == null ? stored() : null;
  }
}
