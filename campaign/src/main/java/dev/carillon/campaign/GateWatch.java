package dev.carillon.campaign;

import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Looks after every write whether a limit is exceeded, or a job that could go is forgotten. */
final class GateWatch {

  /** By what clocks differ, a wake-up may seem to be later. */
  private static final long SKEW = 5_000;

  private final MemoryJobs jobs;
  private final MemoryGates gates;
  private final int limit;
  private final Set<String> violations = new TreeSet<>();

  /**
   * @param limit of unfinished attempts of every program; 0 if there is none
   */
  GateWatch(MemoryJobs jobs, MemoryGates gates, int limit) {
    this.jobs = jobs;
    this.gates = gates;
    this.limit = limit;
  }

  void look(long now) {
    if (limit == 0) {
      return;
    }
    List<Job> unfinished = unfinished();
    if (unfinished.size() > limit) {
      violations.add(unfinished.size() + " unfinished attempts, of at most " + limit);
    }
    for (Gate gate : gates.all()) {
      for (Job job : unfinished) {
        if (!gate.holds(job.id())) {
          violations.add(job.id() + " was launched without a slot");
        }
      }
      Instant wake = gate.wakeAt();
      boolean isPromised = wake != null && wake.toEpochMilli() <= now + SKEW;
      if (gate.waiters() > 0 && gate.slots().size() < limit && !isPromised) {
        violations.add("nobody is to look at " + gate.key() + " with a free slot and a waiter");
      }
    }
  }

  private List<Job> unfinished() {
    return jobs.all().stream()
        .filter(
            job ->
                job.isSlotted()
                    && (job.state() == JobState.PENDING_LAUNCH || job.state() == JobState.ENQUEUED))
        .toList();
  }

  /**
   * All that was found, with what is left over in the end.
   *
   * @param settled what was over then holds no slot any more
   */
  List<String> violations(long settled) {
    for (Gate gate : gates.all()) {
      for (Slot slot : gate.slots()) {
        Job job = jobs.find(List.of(slot.job())).get(slot.job());
        Instant endedAt = job == null ? Instant.EPOCH : job.endedAt();
        if (endedAt != null && endedAt.toEpochMilli() < settled) {
          violations.add(slot.job() + " is over and holds a slot");
        }
      }
    }
    return List.copyOf(violations);
  }
}
