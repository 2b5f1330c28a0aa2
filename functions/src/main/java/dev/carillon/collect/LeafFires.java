package dev.carillon.collect;

import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** The fire times of a trigger's time leaves, by the numbers of the leaves. */
record LeafFires(Map<Integer, FireTimes> times) {

  static LeafFires of(Compiled compiled) {
    Map<Integer, FireTimes> times = new TreeMap<>();
    List<Trigger.Leaf> leaves = compiled.schedule().trigger().leaves();
    for (int number = 0; number < leaves.size(); number++) {
      if (leaves.get(number) instanceof TimeLeaf leaf) {
        times.put(number, compiled.fireTimes(leaf));
      }
    }
    return new LeafFires(times);
  }

  /** The first fire after an instant, without the leaves that pass the test. */
  Optional<Instant> after(Instant instant, IntPredicate isPassedOver) {
    Optional<Instant> earliest = Optional.empty();
    for (Map.Entry<Integer, FireTimes> leaf : times.entrySet()) {
      if (!isPassedOver.test(leaf.getKey())) {
        Optional<Instant> fire = leaf.getValue().next(instant).map(Fire::at);
        if (fire.isPresent() && (earliest.isEmpty() || fire.get().isBefore(earliest.get()))) {
          earliest = fire;
        }
      }
    }
    return earliest;
  }

  /** The leaves that fire at exactly this instant. */
  Set<Integer> at(Instant fire) {
    Set<Integer> fired = new TreeSet<>();
    times.forEach(
        (number, leaf) -> {
          if (leaf.next(fire.minusMillis(1)).filter(next -> next.at().equals(fire)).isPresent()) {
            fired.add(number);
          }
        });
    return fired;
  }
}
