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
 * The state from which a pass starts.
 *
 * @param before the stored collecting job; null if there is none
 * @param waiting the latest job whose trigger was satisfied, if it still waits and the schedule
 *     queues no other jobs behind it; otherwise null
 * @param now the present instant; if it is before the instant up to which fires are applied, the
 *     pass continues from that instant
 */
public record CollectingSnapshot(
    Compiled compiled,
    Head head,
    Jobs.@Nullable StoredCollectingJob before,
    @Nullable Job waiting,
    Instant now) {

  Schedule schedule() {
    return compiled.schedule();
  }

  @Nullable CollectingJob stored() {
    return before == null ? null : before.collectingJob();
  }

  /** The hashes of the ids of counted events. */
  Set<Long> seen() {
    return before == null ? Set.of() : before.seen();
  }

  /** The stored collecting job, unless a change of the schedule has cancelled it. */
  @Nullable CollectingJob kept() {
    CollectingJob stored = stored();
    return stored != null && head.life().isLive(stored.activation()) ? stored : null;
  }

  /** The stored collecting job if a change of the schedule has cancelled it. */
  @Nullable CollectingJob cancelled() {
    return kept() == null ? stored() : null;
  }
}
