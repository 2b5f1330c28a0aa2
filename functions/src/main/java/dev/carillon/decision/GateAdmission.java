package dev.carillon.decision;

import dev.carillon.constraint.Constraints.Unmet;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.constraint.OnUnmet;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Determines whether a job's gates let it pass. A job passes its gates in {@link GateKey#ORDER} and
 * waits at the first one that does not let it pass.
 */
final class GateAdmission {

  private final Job job;
  private final Map<GateKey, Counted> counted;
  private final Map<GateKey, List<GateConstraint>> own;
  private final Map<GateKey, Gate> gates;
  private final Instant now;

  /**
   * A gate that does not let the job pass.
   *
   * @param skips whether the job ends because of this gate instead of waiting there
   * @param isQueueAlone whether the only reason to wait is that other jobs wait there
   */
  record Closed(Gate gate, NotYet why, boolean skips, boolean isQueueAlone) {

    /** When the gate must be served next because of this job. */
    Instant wake(Instant now) {
      if (isQueueAlone) {
        return now;
      }
      return why.checkAt() == null ? gate.latestCheck(now) : why.checkAt();
    }
  }

  private GateAdmission(
      Job job,
      Map<GateKey, Counted> counted,
      Map<GateKey, List<GateConstraint>> own,
      Map<GateKey, Gate> gates,
      Instant now) {
    this.job = job;
    this.counted = counted;
    this.own = own;
    this.gates = gates;
    this.now = now;
  }

  /** Reads the gates that concern the job. */
  static GateAdmission of(Job job, JobSnapshot given, Instant now) {
    Map<GateKey, Counted> counted = given.programs().gatesOf(job.program());
    Map<GateKey, List<GateConstraint>> own = own(job, given, now);
    Set<GateKey> concerned = new HashSet<>(counted.keySet());
    concerned.addAll(own.keySet());
    if (job.waitsAt() != null) {
      concerned.add(job.waitsAt());
    }
    Map<GateKey, Gate> gates = concerned.isEmpty() ? Map.of() : given.gates().of(concerned);
    return new GateAdmission(job, counted, own, gates, now);
  }

  /** The gates that count the launch, and what each gate counts. */
  Map<GateKey, Counted> counted() {
    return counted;
  }

  /**
   * The gate constraints of the job's schedule. A time-out with the action LAUNCH honours only the
   * limits of unfinished jobs.
   */
  private static Map<GateKey, List<GateConstraint>> own(Job job, JobSnapshot given, Instant now) {
    if (job.ignoresConstraints()) {
      return Map.of();
    }
    boolean isTimedOut = job.attempt() == 1 && given.timeouts().launches(job.id(), now);
    String namespace = job.id().schedule().namespace();
    return given.timeouts().schedule().constraints().atGates().stream()
        .filter(one -> !isTimedOut || one.limit() instanceof Unfinished)
        .collect(Collectors.groupingBy(one -> one.limit().gate(namespace, job.program())));
  }

  private Gate gate(GateKey key) {
    return gates.getOrDefault(key, Gate.unused(key));
  }

  /** The gate that ends the job; if none does, the first gate that makes it wait. */
  Optional<Closed> closed() {
    SortedSet<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    keys.addAll(counted.keySet());
    keys.addAll(own.keySet());
    List<Closed> closed =
        keys.stream().flatMap(key -> closed(gate(key)).stream()).collect(Collectors.toList());
    return closed.stream().filter(Closed::skips).findFirst().or(() -> closed.stream().findFirst());
  }

  private Optional<Closed> closed(Gate gate) {
    List<GateConstraint> here = own.getOrDefault(gate.key(), List.of());
    for (GateConstraint one : here) {
      NotYet unmet = gate.unmet(List.of(one.limit()), job.id(), now).orElse(null);
      if (unmet != null && skips(one)) {
        return Optional.of(new Closed(gate, unmet, true, false));
      }
    }
    List<Limit> limits = here.stream().map(GateConstraint::limit).toList();
    boolean needsSlot = counted.getOrDefault(gate.key(), Counted.NOTHING).slots();
    NotYet unmet =
        needsSlot || !limits.isEmpty() ? gate.unmet(limits, job.id(), now).orElse(null) : null;
    if (unmet != null) {
      return Optional.of(new Closed(gate, unmet, false, false));
    }
    if (!here.isEmpty() && hasToQueue(gate)) {
      boolean skips = here.stream().allMatch(this::skips);
      return Optional.of(new Closed(gate, queued(gate), skips, true));
    }
    return Optional.empty();
  }

  /**
   * Whether a constraint that does not hold ends the job. After a failed attempt it does not: the
   * next attempt waits instead.
   */
  private boolean skips(GateConstraint constraint) {
    return job.attempt() == 1 && constraint.onUnmet() == OnUnmet.SKIP;
  }

  /**
   * Whether the job must wait behind the jobs at a gate. A job that waits at a later gate does not
   * queue again at the earlier ones.
   */
  private boolean hasToQueue(Gate gate) {
    GateKey waitsAt = job.waitsAt();
    return gate.waiters() > 0
        && (waitsAt == null || GateKey.ORDER.compare(gate.key(), waitsAt) > 0);
  }

  private static NotYet queued(Gate gate) {
    return new NotYet(null, "other jobs wait at " + gate.key().shown());
  }

  /**
   * All gate constraints of the job's schedule that do not hold, and all queues that it must join.
   */
  List<Unmet> unmet() {
    SortedSet<GateKey> keys = new TreeSet<>(GateKey.ORDER);
    keys.addAll(own.keySet());
    List<Unmet> unmet = new ArrayList<>();
    for (GateKey key : keys) {
      for (GateConstraint one : Objects.requireNonNull(own.get(key))) {
        gate(key)
            .unmet(List.of(one.limit()), job.id(), now)
            .ifPresent(why -> unmet.add(new Unmet(one, why.reason(), why.checkAt())));
      }
      if (hasToQueue(gate(key))) {
        GateConstraint first = Objects.requireNonNull(own.get(key)).get(0);
        unmet.add(new Unmet(first, queued(gate(key)).reason(), null));
      }
    }
    return unmet;
  }
}
