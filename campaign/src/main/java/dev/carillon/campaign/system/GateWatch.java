package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History.Forgotten;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks after every write whether a limit is exceeded, a job is launched under a closed gauge, or
 * one that could go is forgotten. Whether that one is wanted at all, the judge decides.
 */
public final class GateWatch {

  /** By what clocks differ, a wake-up may seem to be later. */
  private static final long SKEW = 5_000;

  private static final long IN_FLIGHT = Part.CHECKER.timeout + SKEW;

  /** What the keys of the gates of programs have in common. */
  private static final String PROGRAMS = "#program:";

  private static final GateKey RESOURCE = GateKey.ofResource("default", Scenario.RESOURCE);

  private final MemoryJobs jobs;
  private final MemoryGates gates;
  private final int limit;
  private final boolean gauged;
  private final Map<String, Long> impatience = new HashMap<>();
  private final Set<Violation> violations = new LinkedHashSet<>();
  private final Map<JobId, Job> known = new HashMap<>();
  private final Map<Place, Forgotten> forgotten = new LinkedHashMap<>();

  /** Where a job waits. */
  private record Place(GateKey gate, JobId job) {}

  /** Since when the gauge is closed; the end of time while it is open. */
  private long closedSince;

  public GateWatch(MemoryJobs jobs, MemoryGates gates, Scenario scenario) {
    this.jobs = jobs;
    this.gates = gates;
    this.limit = scenario.limit();
    this.gauged = !scenario.reports().isEmpty();
    scenario.scripts().stream()
        .flatMap(List::stream)
        .filter(it -> it.wish() != null && it.wish().waits().launchesAnyway())
        .forEach(it -> impatience.merge(it.schedule(), it.wish().waits().timeout(), Math::min));
  }

  /** Whether a job may have timed out so that it is launched whatever its gauge shows. */
  private boolean mayLaunchAnyway(Job job, long now) {
    Long timeout = impatience.get(job.id().schedule().name());
    long began = Math.min(job.scheduledFor().toEpochMilli(), first(job));
    return timeout != null && began + timeout <= now + SKEW;
  }

  private static long first(Job job) {
    return job.transitions().get(0).at().toEpochMilli();
  }

  public void look(long now) {
    if (limit != 0) {
      lookAtSlots(now);
    }
    if (gauged) {
      lookAtGauge(now);
    }
  }

  /**
   * Who has read the gauge as open may launch for as long as a function lives; who waited leaves
   * its place only while what was reported stands, although that may expire meanwhile.
   */
  private void lookAtGauge(long now) {
    Gate gate = gates.find(List.of(RESOURCE)).getOrDefault(RESOURCE, Gate.unused(RESOURCE));
    boolean isOpen = isOpenAt(gate, now);
    if (isOpen) {
      closedSince = Long.MAX_VALUE;
    } else if (closedSince == Long.MAX_VALUE) {
      closedSince = isOpenAt(gate, Long.MIN_VALUE) ? expiry(gate) : now;
    }
    for (Job job : jobs.rows()) {
      Job before = known.put(job.id(), job);
      boolean isLaunched =
          job.state() == JobState.PENDING_LAUNCH
              && (before == null || before.state() != JobState.PENDING_LAUNCH)
              && !mayLaunchAnyway(job, now);
      boolean hasWaited = before != null && RESOURCE.equals(before.waitsAt());
      if (isLaunched && hasWaited && !isOpenAt(gate, now - IN_FLIGHT)) {
        found(job.id(), "waited, and was launched while the gauge was closed");
      }
      if (isLaunched && !isOpen && now - closedSince > IN_FLIGHT) {
        found(job.id(), "was launched under a gauge that was closed long ago");
      }
    }
    if (isOpenAt(gate, now + SKEW)) {
      lookAtWaiters(gate, now);
    }
  }

  private static boolean isOpenAt(Gate gate, long at) {
    Gauge gauge = gate.gauge();
    return gauge != null && gauge.value().intValue() >= Scenario.OPEN && at < expiry(gate);
  }

  private static long expiry(Gate gate) {
    Gauge gauge = gate.gauge();
    Instant expiresAt = gauge == null ? null : gauge.expiresAt();
    return expiresAt == null ? Long.MAX_VALUE : expiresAt.toEpochMilli();
  }

  /** Notes jobs that wait at an open gate for which no check is scheduled now. */
  private void lookAtWaiters(Gate gate, long now) {
    Instant wake = gate.wakeAt();
    boolean isPromised = wake != null && wake.toEpochMilli() <= now + SKEW;
    if (isPromised || gate.waiters() == 0) {
      return;
    }
    for (Waiter waiter : gates.waiters(gate.key(), null, gate.waiters())) {
      JobId id = waiter.job();
      Job job = jobs.find(List.of(id)).get(id);
      if (job != null) {
        forgotten.putIfAbsent(
            new Place(gate.key(), id),
            new Forgotten(
                gate.key().toString(), id.schedule().name(), id.toString(), first(job), now));
      }
    }
  }

  private void lookAtSlots(long now) {
    List<Job> unfinished = unfinished();
    if (unfinished.size() > limit) {
      found(PROGRAMS, unfinished.size() + " unfinished attempts, of at most " + limit);
    }
    for (Gate gate : programs()) {
      for (Job job : unfinished) {
        if (!gate.holds(job.id())) {
          found(job.id(), "was launched without a slot");
        }
      }
      if (gate.slots().size() < limit) {
        lookAtWaiters(gate, now);
      }
    }
  }

  private void found(Object about, String what) {
    violations.add(new Violation(about.toString(), what));
  }

  private List<Gate> programs() {
    return gates.all().stream().filter(gate -> gate.key().kind() == GateKey.Kind.PROGRAM).toList();
  }

  private List<Job> unfinished() {
    return jobs.rows().stream()
        .filter(
            job ->
                job.isSlotted()
                    && (job.state() == JobState.PENDING_LAUNCH || job.state() == JobState.ENQUEUED))
        .toList();
  }

  /** Each job that was forgotten at a gate, when that was first so. */
  public List<Forgotten> forgotten() {
    return List.copyOf(forgotten.values());
  }

  /**
   * All that was found, with what is left over in the end.
   *
   * @param settled what was over then holds no slot any more
   */
  public List<Violation> violations(long settled) {
    for (Gate gate : gates.all()) {
      for (Slot slot : gate.slots()) {
        Job job = jobs.find(List.of(slot.job())).get(slot.job());
        Instant endedAt = job == null ? Instant.EPOCH : job.endedAt();
        if (endedAt != null && endedAt.toEpochMilli() < settled) {
          found(slot.job(), "is over and holds a slot");
        }
      }
    }
    return List.copyOf(violations);
  }
}
