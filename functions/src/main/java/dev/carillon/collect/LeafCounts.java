package dev.carillon.collect;

import dev.carillon.event.Event;
import dev.carillon.job.Job;
import dev.carillon.job.TriggerState;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.trigger.LeafCount;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.EventLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The counts that fires and events add to the leaves of a trigger. */
final class LeafCounts {

  private LeafCounts() {}

  /** How much an event counts for each leaf; 0 for a leaf that it does not concern. */
  static List<Long> weights(List<Trigger.Leaf> leaves, Event event) {
    List<Long> weights = new ArrayList<>();
    for (Trigger.Leaf leaf : leaves) {
      weights.add(leaf instanceof EventLeaf counting ? event.weightFor(counting) : 0L);
    }
    return weights;
  }

  /**
   * Adds an event, even if a leaf has counted enough already: the surplus stays with the current
   * job.
   *
   * @param weights the result of {@link #weights}; a count stops at the largest value instead of
   *     overflowing
   */
  static TriggerState withEvent(TriggerState before, Event event, List<Long> weights) {
    List<LeafCount> counted = new ArrayList<>(before.leaves());
    for (int number = 0; number < weights.size(); number++) {
      long weight = weights.get(number);
      if (weight > 0) {
        LeafCount leaf = counted.get(number);
        counted.set(number, new LeafCount(leaf.expected(), saturated(leaf.actual(), weight), null));
      }
    }
    return before.with(counted, event);
  }

  private static long saturated(long counted, long weight) {
    return counted > Long.MAX_VALUE - weight ? Long.MAX_VALUE : counted + weight;
  }

  /**
   * Adds one fire to some leaves. Each leaf keeps its latest fire. After an outage the fires can
   * come in another order.
   */
  static TriggerState withFires(TriggerState before, Set<Integer> fired, Instant at) {
    List<LeafCount> counted = new ArrayList<>(before.leaves());
    for (Integer number : fired) {
      LeafCount leaf = counted.get(number);
      Instant latest = leaf.fire() != null && leaf.fire().isAfter(at) ? leaf.fire() : at;
      counted.set(number, new LeafCount(1, leaf.actual() + 1, latest));
    }
    return before.with(counted);
  }

  /**
   * The counts of a job. The counts of a job with a single fire follow from the schedule and are
   * not stored.
   */
  static TriggerState of(Job job, Compiled compiled) {
    TriggerState triggerState = job.triggerState();
    if (triggerState != null) {
      return triggerState;
    }
    Instant fire = job.scheduledFor();
    return withFires(
        TriggerState.of(compiled.schedule().trigger().leaves()),
        LeafFires.of(compiled.asFor(fire)).at(fire),
        fire);
  }
}
