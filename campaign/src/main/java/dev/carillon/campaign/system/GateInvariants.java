package dev.carillon.campaign.system;

import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.StrandedJob;
import dev.carillon.campaign.judge.History.Violation;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import dev.carillon.constraint.Gauge;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.memory.MemoryGates;
import dev.carillon.memory.MemoryJobs;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks after every write that no limit is exceeded, no job is launched under a closed gauge, and
 * no job that could pass its gate is stranded. The judge decides whether a stranded job was still
 * wanted.
 */
public final class GateInvariants {

  /** A wake-up may seem to be too late by this much, because clocks differ. */
  private static final long SKEW = 5_000;

  private static final long IN_FLIGHT = FunctionName.CHECKER.timeout + SKEW;

  /** The common prefix of the keys of program gates. */
  private static final String PROGRAMS = "#program:";

  /** The states of a job with an unfinished attempt; a READY job waits in a pool. */
  private static final Set<JobState> UNFINISHED =
      EnumSet.of(
          JobState.READY,
          JobState.PENDING_LAUNCH,
          JobState.ENQUEUED,
          JobState.CLAIMED,
          JobState.RUNNING);

  /**
   * The states that a job has after its constraints were found to hold; a job with a pool passes
   * through both.
   */
  private static final Set<JobState> LET_GO = EnumSet.of(JobState.READY, JobState.PENDING_LAUNCH);

  private static final GateKey RESOURCE = GateKey.ofResource("default", Scenario.RESOURCE);

  private final MemoryJobs jobs;
  private final MemoryGates gates;

  /** The limit on unfinished attempts, by program. */
  private final Map<String, Integer> limits = new LinkedHashMap<>();

  private final boolean gauged;
  private final Map<String, Long> launchAnywayAfter = new HashMap<>();
  private final Set<Violation> violations = new LinkedHashSet<>();
  private final ChangedJobs changedJobs;
  private final Map<JobId, Job> known = new HashMap<>();

  /** The known jobs that hold, or should hold, a slot. */
  private final Map<JobId, Job> slotted = new LinkedHashMap<>();

  private final Map<WaitingPlace, StrandedJob> strandedJobs = new LinkedHashMap<>();

  /** The unfinished attempts that a replaced gate has forgotten. */
  private final Set<JobId> forgotten = new HashSet<>();

  private Predicate<GateKey> isUnreadable = gate -> false;

  /** A job at the gate where it waits until the next check. */
  private record WaitingPlace(GateKey gate, JobId job, long next) {}

  /** The instant since which the gauge is closed; {@link Long#MAX_VALUE} while it is open. */
  private long closedSince;

  public GateInvariants(MemoryJobs jobs, MemoryGates gates, Scenario scenario) {
    this.jobs = jobs;
    this.gates = gates;
    this.changedJobs = new ChangedJobs(jobs);
    jobs.observe(this::noteSlot);
    if (scenario.limit() > 0) {
      limits.put(RequestBodies.PROGRAM, scenario.limit());
    }
    scenario.scripts().stream()
        .flatMap(List::stream)
        .map(UserAction::spec)
        .filter(spec -> spec != null && spec.tracking() != null)
        .map(ScheduleSpec::limits)
        .forEach(this::addLimits);
    this.gauged = !scenario.reports().isEmpty();
    scenario.scripts().stream()
        .flatMap(List::stream)
        .filter(it -> it.spec() != null && it.spec().waits().launchesAnyway())
        .forEach(
            it -> launchAnywayAfter.merge(it.schedule(), it.spec().waits().timeout(), Math::min));
  }

  /** Adds the limit on the unfinished attempts of a program; all its documents have the same. */
  private void addLimits(Limits document) {
    document.all().stream()
        .filter(RunLimit.class::isInstance)
        .forEach(limit -> limits.merge(document.program(), ((RunLimit) limit).max(), Math::max));
  }

  /**
   * Whether a job may have reached its time-out, so that it launches whatever value its gauge has.
   */
  private boolean mayLaunchAnyway(Job job, long now) {
    Long timeout = launchAnywayAfter.get(job.id().schedule().name());
    long began = Math.min(job.scheduledFor().toEpochMilli(), first(job));
    return timeout != null && began + timeout <= now + SKEW;
  }

  private static long first(Job job) {
    return job.transitions().get(0).at().toEpochMilli();
  }

  /** Records that a caller has replaced a gate, so that it counts no earlier attempts. */
  public void forget() {
    limits.keySet().stream()
        .flatMap(program -> unfinished(program).stream())
        .forEach(job -> forgotten.add(job.id()));
  }

  /** Whether the attempt was unfinished when its gate was replaced, so that it holds no slot. */
  public boolean hasForgotten(JobId job) {
    return forgotten.contains(job);
  }

  public void check(long now) {
    Collection<Job> changed = changedJobs.take();
    limits.forEach((program, limit) -> checkSlots(now, program, limit));
    if (gauged) {
      checkGauge(now, changed);
    }
  }

  private void noteSlot(Job job) {
    if (UNFINISHED.contains(job.state()) && job.isSlotted()) {
      slotted.put(job.id(), job);
    } else {
      slotted.remove(job.id());
    }
  }

  /**
   * Checks that no job is launched under a closed gauge. A checker that has read an open gauge may
   * still launch for as long as a function runs. A waiting job leaves the gate only if the reported
   * value has not changed meanwhile; but the value may have expired.
   */
  private void checkGauge(long now, Collection<Job> changed) {
    Gate gate = gates.find(List.of(RESOURCE)).getOrDefault(RESOURCE, Gate.unused(RESOURCE));
    boolean isOpen = isOpenAt(gate, now);
    if (isOpen) {
      closedSince = Long.MAX_VALUE;
    } else if (isOpenAt(gate, Long.MIN_VALUE)) {
      // It can have been open between two checks.
      closedSince = expiry(gate);
    } else if (closedSince == Long.MAX_VALUE) {
      closedSince = now;
    }
    for (Job job : changed) {
      Job before = known.put(job.id(), job);
      boolean isLaunched =
          LET_GO.contains(job.state())
              && (before == null || !LET_GO.contains(before.state()))
              && !mayLaunchAnyway(job, now);
      boolean hasWaited = before != null && RESOURCE.equals(before.waitsAt());
      if (isLaunched && hasWaited && !isOpenAt(gate, now - IN_FLIGHT)) {
        found(job.id(), "waited, and was launched while the gauge was closed");
      }
      if (isLaunched && !isOpen && now - closedSince > IN_FLIGHT) {
        found(job.id(), "was launched although the gauge had been closed for long");
      }
    }
    if (isOpenAt(gate, now + SKEW)) {
      checkWaiters(gate, now);
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

  /** Records the jobs that wait at an open gate for which no check is due. */
  private void checkWaiters(Gate gate, long now) {
    Instant wake = gate.wakeAt();
    long next = wake == null ? History.NEVER : wake.toEpochMilli();
    if (next <= now + SKEW || gate.waiters() == 0) {
      return;
    }
    for (Waiter waiter : gates.waiters(gate.key(), null, gate.waiters())) {
      JobId id = waiter.job();
      Job job = jobs.find(List.of(id)).get(id);
      if (job != null) {
        strandedJobs.putIfAbsent(
            new WaitingPlace(gate.key(), id, next),
            new StrandedJob(
                gate.key().toString(), id.schedule().name(), id.toString(), first(job), now, next));
      }
    }
  }

  private void checkSlots(long now, String program, int limit) {
    List<Job> unfinished = unfinished(program);
    if (unfinished.size() > limit) {
      found(PROGRAMS, unfinished.size() + " unfinished attempts, of at most " + limit);
    }
    for (Gate gate : gates.find(List.of(GateKey.ofProgram("default", program))).values()) {
      int items = gates.slotsApart(gate.key()).size();
      if (items != gate.slots().apart()) {
        found(PROGRAMS, items + " items of slots, of " + gate.slots().apart() + " that it counts");
      }
      for (Job job : unfinished) {
        if (!gates.finding(gate, List.of(job.id())).holds(job.id())) {
          found(job.id(), "was launched without a slot");
        }
      }
      if (gate.slots().size() < limit) {
        checkWaiters(gate, now);
      }
    }
  }

  private void found(Object about, String what) {
    violations.add(new Violation(about.toString(), what));
  }

  private List<Job> unfinished(String program) {
    return slotted.values().stream()
        .filter(job -> job.program().equals(program) && !forgotten.contains(job.id()))
        .toList();
  }

  /**
   * The jobs that were stranded at a gate, each with the instant at which this was first observed.
   */
  public List<StrandedJob> strandedJobs() {
    return List.copyOf(strandedJobs.values());
  }

  /** Names the gates that cannot be read. Nothing can free a slot of such a gate. */
  public void exceptUnreadable(Predicate<GateKey> unreadable) {
    isUnreadable = unreadable;
  }

  /**
   * All violations so far, and those that remain at the end.
   *
   * @param settled the instant before which ended jobs must have freed their slots
   */
  public List<Violation> violations(long settled) {
    List<Gate> readable =
        gates.all().stream().filter(gate -> !isUnreadable.test(gate.key())).toList();
    for (Gate gate : readable) {
      for (Slot slot : gates.slots(gate)) {
        Job job = jobs.find(List.of(slot.job())).get(slot.job());
        Instant endedAt = job == null ? Instant.EPOCH : job.endedAt();
        if (endedAt != null && endedAt.toEpochMilli() < settled) {
          found(slot.job(), "has ended and still holds a slot");
        }
      }
    }
    return List.copyOf(violations);
  }
}
