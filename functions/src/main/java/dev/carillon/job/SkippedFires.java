package dev.carillon.job;

import dev.carillon.id.JobId;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Missed fires of one leaf that are not made up for. They have one row together, under the id of
 * the first: so whoever decides on them once more finds what was decided.
 *
 * @param last the last of them
 * @param count how many there are
 */
public record SkippedFires(JobId first, Instant last, long count, int leaf) {

  /**
   * Those of a fire's generation that begin at or before it. As nothing but the first fire names
   * them, they are looked for in the rows before the fire; between the two are few, as what is
   * skipped has no rows.
   */
  public static List<SkippedFires> upTo(JobId fire, Jobs jobs) {
    return jobs.skippedUpTo(fire).stream().flatMap(row -> of(row).stream()).toList();
  }

  /** What a row stands for; empty if it is the row of a single job. */
  public static Optional<SkippedFires> of(Job row) {
    TriggerState triggerState = row.triggerState();
    if (row.state() != JobState.SKIPPED || triggerState == null || !row.id().isFire()) {
      return Optional.empty();
    }
    int leaf = triggerState.leaves().size() - 1;
    LeafCount counted = triggerState.leaves().get(leaf);
    return counted.fire() == null
        ? Optional.empty()
        : Optional.of(new SkippedFires(row.id(), counted.fire(), counted.actual(), leaf));
  }

  public boolean contains(Instant fire) {
    return !fire.isBefore(first.at()) && !fire.isAfter(last);
  }

  /**
   * The row.
   *
   * @param policy why they are not made up for, in words
   */
  public Job row(long activation, String program, Instant now, String policy) {
    List<LeafCount> leaves = new ArrayList<>();
    for (int before = 0; before < leaf; before++) {
      leaves.add(new LeafCount(1, 0, null));
    }
    leaves.add(new LeafCount(1, count, last));
    Reason reason = Reason.of(ReasonCode.MISSED_FIRES, count, first.at(), last, policy);
    TriggerState triggerState = new TriggerState(List.copyOf(leaves), List.of(), 0);
    return NewJob.endedBeforeLaunch(
        first, activation, program, JobState.SKIPPED, triggerState, now, reason);
  }
}
