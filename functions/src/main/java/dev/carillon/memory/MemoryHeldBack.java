package dev.carillon.memory;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs.Held;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The jobs that a suspension holds back. */
final class MemoryHeldBack {

  private final Set<Held> heldBack = new LinkedHashSet<>();

  void add(Collection<Held> held) {
    heldBack.addAll(held);
  }

  void remove(Collection<Held> held) {
    held.forEach(heldBack::remove);
  }

  /** Those of activations below one, the oldest first. */
  List<Held> find(ScheduleId schedule, long below, int limit) {
    return heldBack.stream()
        .filter(held -> held.job().schedule().equals(schedule) && held.activation() < below)
        .sorted(Comparator.comparing(Held::activation).thenComparing(it -> it.job().sortKey()))
        .limit(limit)
        .toList();
  }
}
