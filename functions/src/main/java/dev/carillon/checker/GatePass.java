package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.runtime.Deadline;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the jobs that wait at a gate. Until its last write, which says when the gate is
 * served next, the gate stays in the attention index. The gate is read before the jobs that wait;
 * if another writer has changed it since, the pass is not complete: a job may have come that it did
 * not see.
 */
final class GatePass {

  private static final int PAGE = 25;

  private final CheckServices services;
  private final GateKey key;
  private final Map<Subject, Instant> followUps;
  private final Collection<Exhausted> exhausted;

  /** The schedules whose jobs this gate does not let through now. */
  private final Set<ScheduleId> unfit = new HashSet<>();

  /** When the first job can be checked that could not be now; null if there is none. */
  private @Nullable Instant soonest;

  /**
   * @param followUps takes the wake-ups to send before the message is acknowledged
   * @param exhausted takes the schedules that have to be ended
   */
  GatePass(
      CheckServices services,
      GateKey key,
      Map<Subject, Instant> followUps,
      Collection<Exhausted> exhausted) {
    this.services = services;
    this.key = key;
    this.followUps = followUps;
    this.exhausted = exhausted;
  }

  /**
   * Lets through what the gate takes.
   *
   * @return false if the gate was changed meanwhile, or the deadline passed before every job that
   *     could go did: the gate has to be served again
   */
  boolean serve(Deadline deadline) {
    GateTransactions gates = new GateTransactions(services.shared(), services.clock().instant());
    if (gates.gate(key).waiters() == 0) {
      return gates.serveNext(key, null);
    }
    @Nullable Waiter last = null;
    @Nullable CheckPass pass = null;
    while (!deadline.hasPassed()) {
      List<Waiter> page = services.shared().gates().waiters(key, last, PAGE);
      List<Waiter> candidates =
          page.stream().filter(waiter -> !unfit.contains(waiter.job().schedule())).toList();
      if (pass == null || !candidates.isEmpty()) {
        pass = serve(candidates, gates.gate(key));
      }
      if (pass.gates().isDisturbed(key)) {
        return false;
      }
      gates = pass.gates();
      if (page.size() < PAGE || !isOpenToAny(pass)) {
        return storeNext(pass);
      }
      last = page.get(PAGE - 1);
    }
    return false;
  }

  /**
   * A pass that has not read the namespace's programs, as no head could be read, closes nothing.
   */
  private boolean isOpenToAny(CheckPass pass) {
    CheckSnapshot snapshot = pass.snapshot();
    return !snapshot.gated().containsKey(key.namespace())
        || snapshot.programs(key.namespace()).isOpenToAny(pass.gates().gate(key), pass.now());
  }

  private CheckPass serve(List<Waiter> candidates, Gate read) {
    List<JobId> jobs = candidates.stream().map(Waiter::job).toList();
    CheckPass pass = new CheckPass(services, jobs, Map.of());
    pass.gates().remember(read);
    pass.serve(key, candidates, unfit);
    exhausted.addAll(pass.exhausted());
    Map<Subject, Instant> wakeups = pass.followUps().wakeups();
    followUps.putAll(wakeups);
    followUps.remove(key);
    jobs.forEach(job -> note(wakeups.get(job)));
    unfit.addAll(pass.snapshot().unreadable());
    return pass;
  }

  private void note(@Nullable Instant later) {
    if (later != null && (soonest == null || later.isBefore(soonest))) {
      soonest = later;
    }
  }

  private boolean storeNext(CheckPass pass) {
    Instant now = services.clock().instant();
    Gate gate = pass.gates().gate(key);
    if (gate.waiters() == 0) {
      return pass.gates().serveNext(key, null);
    }
    GatedPrograms programs = pass.snapshot().programs(key.namespace());
    Instant opening = programs.opening(gate, now).orElseGet(() -> gate.safety(now));
    Instant next = soonest == null || opening.isBefore(soonest) ? opening : soonest;
    boolean isStored = pass.gates().serveNext(key, next);
    if (isStored && Wakeup.plan(next, now).isInMessage()) {
      followUps.put(key, next);
    }
    return isStored;
  }
}
