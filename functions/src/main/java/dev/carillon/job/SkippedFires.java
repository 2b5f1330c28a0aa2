package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.time.Timestamps;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Missed fires of one leaf that are not launched later. One item, under the id of the first fire,
 * records all of them. So a later decision on these fires finds the earlier decision.
 *
 * @param last the last fire
 * @param count the number of fires
 */
public record SkippedFires(JobId first, Instant last, long count, int leaf) {

  /**
   * The items of skipped fires that have the generation of a fire and begin at or before it. Such
   * an item is stored only under the id of its first fire, so this method searches the jobs before
   * the given fire. Few jobs lie in between, because other skipped fires have no items of their
   * own.
   */
  public static List<SkippedFires> upTo(JobId fire, Jobs jobs) {
    return jobs.skippedUpTo(fire).stream().flatMap(job -> of(job).stream()).toList();
  }

  /** The fires that a stored job stands for; empty if it is the job of a single fire. */
  public static Optional<SkippedFires> of(Job job) {
    TriggerState triggerState = job.triggerState();
    if (job.state() != JobState.SKIPPED || triggerState == null || !job.id().isFire()) {
      return Optional.empty();
    }
    int leaf = triggerState.leaves().size() - 1;
    LeafCount counted = triggerState.leaves().get(leaf);
    return counted.fire() == null
        ? Optional.empty()
        : Optional.of(new SkippedFires(job.id(), counted.fire(), counted.actual(), leaf));
  }

  public boolean contains(Instant fire) {
    return !fire.isBefore(first.at()) && !fire.isAfter(last);
  }

  /**
   * The job to store for the fires.
   *
   * @param policy the text of the policy by which the fires are skipped
   */
  public Job row(long activation, String program, Instant now, String policy) {
    List<LeafCount> leaves = new ArrayList<>();
    for (int before = 0; before < leaf; before++) {
      leaves.add(new LeafCount(1, 0, null));
    }
    leaves.add(new LeafCount(1, count, last));
    String from = Timestamps.text(first.at());
    Reason reason = Reason.of(ReasonCode.MISSED_FIRES, count, from, Timestamps.text(last), policy);
    TriggerState triggerState = new TriggerState(List.copyOf(leaves), List.of(), 0);
    return NewJob.endedBeforeLaunch(
        first, activation, program, JobState.SKIPPED, triggerState, now, reason);
  }
}
