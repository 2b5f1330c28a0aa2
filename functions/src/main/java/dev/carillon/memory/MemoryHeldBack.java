package dev.carillon.memory;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs.SuspendedJob;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The jobs that a suspension holds. */
final class MemoryHeldBack {

  private final Set<SuspendedJob> suspendedJobs = new LinkedHashSet<>();

  void add(Collection<SuspendedJob> held) {
    suspendedJobs.addAll(held);
  }

  void remove(Collection<SuspendedJob> held) {
    held.forEach(suspendedJobs::remove);
  }

  /** The held jobs of smaller activations, the oldest first. */
  List<SuspendedJob> find(ScheduleId schedule, long below, int limit) {
    return suspendedJobs.stream()
        .filter(held -> held.job().schedule().equals(schedule) && held.activation() < below)
        .sorted(
            Comparator.comparing(SuspendedJob::activation).thenComparing(it -> it.job().sortKey()))
        .limit(limit)
        .toList();
  }
}
