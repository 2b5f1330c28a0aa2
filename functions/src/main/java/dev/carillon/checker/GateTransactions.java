package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.decision.GateChanges;
import dev.carillon.decision.JobSnapshot.GateStates;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes gates for one pass: a job and its gates in one transaction. It remembers what it
 * has read and written; a gate that another writer has changed since is read again.
 */
final class GateTransactions implements GateStates {

  private final Gates gates;
  private final Jobs jobs;
  private final OptimisticUpdate updates;
  private final Instant now;
  private final Map<GateKey, Gate> known = new HashMap<>();
  private final Map<GateKey, Instant> wakes = new LinkedHashMap<>();
  private final Set<GateKey> disturbed = new HashSet<>();

  GateTransactions(Shared shared, Instant now) {
    this.gates = shared.gates();
    this.jobs = shared.jobs();
    this.updates = shared.updates();
    this.now = now;
  }

  /** What became of a job. */
  sealed interface Result {}

  record Stored(Job job) implements Result {}

  /** Another writer has changed it. */
  record Lost(Job present) implements Result {}

  /** The gates that were woken, and when each has to be served. */
  Map<GateKey, Instant> wakes() {
    return wakes;
  }

  /** Takes a gate as it was read before: what follows depends on that version of it. */
  void remember(Gate gate) {
    known.put(gate.key(), gate);
  }

  /** Whether another writer has changed a gate since it was read. */
  boolean isDisturbed(GateKey key) {
    return disturbed.contains(key);
  }

  Gate gate(GateKey key) {
    return of(Set.of(key)).getOrDefault(key, Gate.unused(key));
  }

  @Override
  public Map<GateKey, Gate> of(Set<GateKey> keys) {
    List<GateKey> missing = keys.stream().filter(key -> !known.containsKey(key)).toList();
    if (!missing.isEmpty()) {
      known.putAll(gates.find(missing));
    }
    return known;
  }

  /** The changes of the gates that concern a job, as they are now. */
  GateChanges changesFor(@Nullable Job job) {
    return new GateChanges(job == null ? known : of(GateChanges.concerned(job)), now);
  }

  /** Stores a job that gives up its place or its slots, or has ended. */
  Result leave(Job before, Job after, boolean wasLaunched) {
    return updates.run(
        before.id(), () -> commit(changesFor(before).leaving(before, after, wasLaunched)));
  }

  /** Loses the race if a gate was changed meanwhile; the gates of the step are read again then. */
  Attempt<Result> commit(Step step) {
    Outcome outcome = stored(step);
    if (outcome instanceof JobLost lost) {
      return Attempt.done(new Lost(lost.present()));
    }
    if (!(outcome instanceof Gates.Done)) {
      forget(step.gates());
      return Attempt.lostRace();
    }
    note(step.gates());
    return Attempt.done(new Stored(Objects.requireNonNull(step.after())));
  }

  private void forget(List<Change> changes) {
    for (Change change : changes) {
      known.remove(change.before().key());
      disturbed.add(change.before().key());
    }
  }

  private void note(List<Change> changes) {
    for (Change change : changes) {
      Gate after = change.after().stored();
      known.put(after.key(), after);
      Instant wake = after.wakeAt();
      if (wake != null && !wake.equals(change.before().wakeAt())) {
        wakes.put(after.key(), wake);
      }
    }
  }

  /** What concerns a job alone needs no transaction. */
  private Outcome stored(Step step) {
    Job after = step.after();
    if (after == null || !step.gates().isEmpty()) {
      return gates.commit(step);
    }
    Optional<Job> present =
        step.before() == null
            ? jobs.insert(List.of(after)).get(0)
            : jobs.update(List.of(new Update(step.before(), after))).get(0);
    return present.<Outcome>map(JobLost::new).orElseGet(Gates.Done::new);
  }

  /** Removes a place that no job has, unless the gate was changed since it was read. */
  void removePlace(Waiter waiter) {
    if (isDisturbed(waiter.gate())) {
      return;
    }
    List<Change> change = List.of(new Change(gate(waiter.gate()), gate(waiter.gate()).left()));
    if (gates.commit(new Step(null, null, change, List.of(), List.of(waiter)))
        instanceof Gates.Done) {
      note(change);
    } else {
      forget(change);
    }
  }

  /**
   * Stores when a gate is to be served next.
   *
   * @param next null for never: no job waits there
   * @return false if the gate was changed meanwhile
   */
  boolean serveNext(GateKey key, @Nullable Instant next) {
    Gate gate = gate(key);
    if (Objects.equals(gate.wakeAt(), next)) {
      return true;
    }
    Gate after = gate.waking(next == null ? null : Wakeup.plan(next, now));
    List<Change> change = List.of(new Change(gate, after));
    if (!gates.update(gate, after)) {
      forget(change);
      return false;
    }
    note(change);
    return true;
  }
}
