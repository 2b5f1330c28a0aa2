package dev.carillon.collect;

import dev.carillon.id.JobId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.CollectingJob.OpenJob;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How far a collecting job has advanced.
 *
 * @param nextSequence the sequence number of the next job to open
 * @param advancedTo the instant up to which fires have been applied
 * @param open the job that is collecting; null until its first fire or event
 * @param clocks since when leaves wait for a period to elapse
 */
record Progress(long nextSequence, Instant advancedTo, @Nullable OpenJob open, LeafClocks clocks) {

  /**
   * The progress that is stored under this activation, or that was moved to it from an earlier one.
   */
  static Progress of(CollectingSnapshot known) {
    CollectingJob kept = known.kept();
    return kept == null ? begun(known) : taken(kept, known);
  }

  private static Progress taken(CollectingJob kept, CollectingSnapshot known) {
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    Instant since = known.head().opensSince();
    LeafClocks clocks =
        kept.activation() == known.head().activation()
            ? LeafClocks.of(leaves, kept.clocks(), since)
            : LeafClocks.handedOn(leaves, kept, since);
    return new Progress(kept.nextSequence(), kept.advancedTo(), kept.open(), clocks);
  }

  private static Progress begun(CollectingSnapshot known) {
    CollectingJob stored = known.stored();
    List<Trigger.Leaf> leaves = known.schedule().trigger().leaves();
    return new Progress(
        stored == null ? 1 : stored.nextSequence(),
        beginning(stored, known.head()),
        null,
        LeafClocks.of(leaves, Map.of(), known.head().opensSince()));
  }

  /**
   * The instant after which fires count under a new activation. It is not before a fire that was
   * already applied under the generation, even if a slow clock set the start of the activation. If
   * a collecting job was replaced because it could not be read, the instant is not before the
   * replacement. The change of the schedule may have failed after the replacement, so that the
   * activation goes on.
   */
  private static Instant beginning(@Nullable CollectingJob stored, Head head) {
    return stored != null && (stored.isStandIn() || stored.generation() == head.generation())
        ? later(head.life().beganAt(), stored.advancedTo())
        : head.life().beganAt();
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** The leaves that the open job has satisfied. */
  Set<Integer> satisfied() {
    Set<Integer> satisfied = new TreeSet<>();
    List<LeafCount> counts = open == null ? List.of() : open.triggerState().leaves();
    for (int number = 0; number < counts.size(); number++) {
      if (counts.get(number).isSatisfied()) {
        satisfied.add(number);
      }
    }
    return satisfied;
  }

  Progress upTo(Instant instant) {
    return new Progress(nextSequence, instant, open, clocks);
  }

  Progress with(LeafClocks newClocks) {
    return new Progress(nextSequence, advancedTo, open, newClocks);
  }

  Progress with(OpenJob newOpen) {
    return new Progress(nextSequence, advancedTo, newOpen, clocks);
  }

  /** The progress without the open job, with the clocks for the next job. */
  Progress closed(Instant now) {
    return new Progress(nextSequence, advancedTo, null, clocks.afterClose(satisfied(), now));
  }

  /** The job that would be opened next. */
  OpenJob next(Schedule schedule, long generation, Instant at) {
    JobId id = JobId.ofEvents(schedule.id(), generation, at, nextSequence);
    return new OpenJob(id, at, TriggerState.of(schedule.trigger().leaves()));
  }

  /** Marks the sequence number of {@link #next} as used. */
  Progress afterNext() {
    return new Progress(nextSequence + 1, advancedTo, open, clocks);
  }
}
