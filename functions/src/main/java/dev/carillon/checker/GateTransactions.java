package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.decision.GateChanges;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateStates;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.JobChange;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the gates of one pass. A job and its gates are written in one transaction. Gates
 * that were read or written are cached; a gate that another writer has changed since is read again.
 */
final class GateTransactions implements GateStates {

  private final Gates gates;
  private final Jobs jobs;
  private final OptimisticUpdate updates;
  private final Map<GateKey, Gate> known = new HashMap<>();
  private final Map<GateKey, Instant> wakes = new LinkedHashMap<>();
  private final Set<GateKey> outdated = new HashSet<>();

  /** By gate: the jobs that could not be stored, and whose slots have items of their own. */
  private final Map<GateKey, Set<JobId>> takers = new HashMap<>();

  GateTransactions(Shared shared) {
    this.gates = shared.gates();
    this.jobs = shared.jobs();
    this.updates = shared.updates();
  }

  /** The outcome of storing a job. */
  sealed interface Result {}

  record Stored(Job job) implements Result {}

  /** Another writer changed the job first. */
  record Lost(Job present) implements Result {}

  /** The gates that were woken, with the instant at which each must be served. */
  Map<GateKey, Instant> wakes() {
    return wakes;
  }

  /** Uses a gate that was read earlier: later decisions depend on that version of it. */
  void remember(Gate gate) {
    known.put(gate.key(), gate);
  }

  /** Whether another writer has changed a gate since it was read. */
  boolean isOutdated(GateKey key) {
    return outdated.contains(key);
  }

  Gate gate(GateKey key) {
    return of(Set.of(key)).getOrDefault(key, Gate.unused(key));
  }

  @Override
  public Map<GateKey, Gate> of(Set<GateKey> keys) {
    List<GateKey> missing = keys.stream().filter(key -> !known.containsKey(key)).toList();
    if (!missing.isEmpty()) {
      gates.find(missing).forEach((key, gate) -> known.put(key, afterLostRace(gate)));
    }
    return known;
  }

  /**
   * The gate after a lost race. A job whose slot could not be stored may hold a slot already, if
   * the tables were restored to different instants. The job then launches with that slot.
   */
  private Gate afterLostRace(Gate read) {
    Set<JobId> jobIds = takers.remove(read.key());
    return jobIds == null ? read : read.finding(gates.holders(read.key(), jobIds));
  }

  /**
   * Reads gates before they are needed.
   *
   * @return those that cannot be read
   */
  Set<GateKey> read(Collection<GateKey> keys) {
    Set<GateKey> unreadable = new HashSet<>();
    if (!keys.isEmpty()) {
      known.putAll(UnreadableItems.readable(new LinkedHashSet<>(keys), unreadable, gates::find));
    }
    return unreadable;
  }

  /** The changes of the gates that concern a job, based on their current state. */
  GateChanges changesFor(@Nullable Job job, Instant now) {
    if (job != null) {
      of(GateChanges.concerned(job));
      known.putAll(gates.finding(known, job));
    }
    return new GateChanges(known, now);
  }

  /** Stores a job that gives up its place or its slots, or that has ended. */
  Result leave(Job before, Job after, boolean wasLaunched, Instant now) {
    return updates.run(
        before.id(), () -> commitOne(changesFor(before, now).leaving(before, after, wasLaunched)));
  }

  /**
   * Stores one job with its gates. If a gate was changed meanwhile, this is a lost race, and the
   * gates of the step are read again.
   */
  Attempt<Result> commitOne(Step step) {
    JobChange job = step.jobs().get(0);
    Outcome outcome = step.gates().isEmpty() ? stored(job) : commit(step);
    if (outcome instanceof JobLost lost) {
      return Attempt.done(new Lost(lost.present()));
    }
    return Attempt.of(outcome instanceof Gates.Done, new Stored(job.after()));
  }

  /**
   * Makes this pass decide as if the step were stored already. The caller commits the step
   * afterwards by {@link #commit}.
   */
  void assume(Step step) {
    step.gates().forEach(change -> known.put(change.after().key(), change.after()));
  }

  /**
   * Stores a step, whether it was assumed or not. If the step cannot be stored, the assumption
   * ends.
   */
  Outcome commit(Step step) {
    Outcome outcome = stored(step);
    if (outcome instanceof Gates.Done) {
      cache(step.gates());
    } else if (outcome instanceof JobLost) {
      withdraw(step);
    } else {
      discard(step.gates());
    }
    return outcome;
  }

  private Outcome stored(Step step) {
    try {
      return gates.commit(step);
    } catch (RuntimeException unknown) {
      discard(step.gates());
      throw unknown;
    }
  }

  /** Ends the assumption that the step is stored; its gates are as they were read. */
  void withdraw(Step step) {
    step.gates().forEach(change -> known.put(change.before().key(), change.before()));
  }

  private void discard(List<Change> changes) {
    for (Change change : changes) {
      known.remove(change.before().key());
      outdated.add(change.before().key());
      change
          .after()
          .slots()
          .added()
          .forEach(
              slot ->
                  takers
                      .computeIfAbsent(change.before().key(), any -> new HashSet<>())
                      .add(slot.job()));
    }
  }

  private void cache(List<Change> changes) {
    for (Change change : changes) {
      Gate after = change.after().stored();
      known.put(after.key(), after);
      Instant wake = after.wakeAt();
      if (wake != null && !wake.equals(change.before().wakeAt())) {
        wakes.put(after.key(), wake);
      }
    }
  }

  /** Stores a job that concerns no gate, without a transaction. */
  private Outcome stored(JobChange change) {
    Optional<Job> present =
        change.before() == null
            ? jobs.insert(List.of(change.after())).get(0)
            : jobs.update(List.of(new Update(change.before(), change.after()))).get(0);
    return present.<Outcome>map(JobLost::new).orElseGet(Gates.Done::new);
  }

  /**
   * Removes a place whose job does not wait there, unless the gate was changed since it was read.
   */
  void removePlace(Waiter waiter) {
    if (isOutdated(waiter.gate())) {
      return;
    }
    List<Change> change = List.of(new Change(gate(waiter.gate()), gate(waiter.gate()).left()));
    if (gates.commit(new Step(List.of(), change, List.of(), List.of(waiter)))
        instanceof Gates.Done) {
      cache(change);
    } else {
      discard(change);
      updates.countLostRace();
    }
  }

  /**
   * Stores when a gate is served next.
   *
   * @param next null for never: no job waits there
   * @return false if another writer changed the gate meanwhile
   */
  boolean serveNext(GateKey key, @Nullable Instant next, Instant now) {
    Gate gate = gate(key);
    if (Objects.equals(gate.wakeAt(), next)) {
      return true;
    }
    Gate after = gate.waking(next == null ? null : Wakeup.plan(next, now));
    List<Change> change = List.of(new Change(gate, after));
    if (!gates.update(gate, after)) {
      discard(change);
      updates.countLostRace();
      return false;
    }
    cache(change);
    return true;
  }
}
