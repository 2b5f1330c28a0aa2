package dev.carillon.checker;

import dev.carillon.constraint.Concurrency;
import dev.carillon.constraint.GateConstraint;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.OnUnmet;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.gate.Passage;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates;
import dev.carillon.job.Gates.Change;
import dev.carillon.job.Gates.JobLost;
import dev.carillon.job.Gates.Outcome;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Patience;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes jobs through their gates, lets them wait there, and frees what they held: each time the job
 * and the gates are one transaction. A gate that another has changed meanwhile is read anew.
 */
final class Gatekeeper {

  /** Others that change the same gates win at most this often before the caller tries later. */
  static final int MOST_LOST_RACES = 50;

  private final Gates gates;
  private final Jobs jobs;

  Gatekeeper(Gates gates, Jobs jobs) {
    this.gates = gates;
    this.jobs = jobs;
  }

  /** What became of a job. */
  sealed interface Result {}

  /** It is stored so. */
  record Stored(Job job) implements Result {}

  /** Another has changed it. */
  record Lost(Job present) implements Result {}

  /** It goes on waiting where it does. */
  record Unfit() implements Result {}

  /** When somebody looks at a job that waits at a gate, whatever happens there. */
  static Instant attention(Patience patience, Job job, Instant now) {
    Instant usual = now.plus(Gate.RUN_TIMEOUT);
    return patience
        .endAhead(job.id(), now)
        .map(end -> Launcher.isInMessage(end, now) ? end.plus(Job.ATTENTION_SLACK) : end)
        .filter(look -> look.isBefore(usual))
        .orElse(usual);
  }

  /** One visit to some gates, which remembers what it has read and written. */
  Visit visit(Instant now) {
    return new Visit(now);
  }

  /** Where a job cannot go through. */
  private record Closed(Gate gate, NotYet why, boolean skips, boolean isOpenButQueued) {}

  /** The gates as they were when this visit has seen them last. */
  final class Visit {
    private final Instant now;
    private final Map<GateKey, Gate> known = new HashMap<>();
    private final Map<GateKey, Instant> wakes = new LinkedHashMap<>();
    private final Set<GateKey> disturbed = new HashSet<>();

    private Visit(Instant now) {
      this.now = now;
    }

    /** The gates at which somebody has to look, and when. */
    Map<GateKey, Instant> wakes() {
      return wakes;
    }

    /** Takes a gate as it was read before: what follows depends on that version of it. */
    void know(Gate gate) {
      known.put(gate.key(), gate);
    }

    /** Whether another has changed a gate since this visit knows it. */
    boolean isDisturbed(GateKey key) {
      return disturbed.contains(key);
    }

    Gate gate(GateKey key) {
      return find(List.of(key)).getOrDefault(key, Gate.unused(key));
    }

    private Map<GateKey, Gate> find(Iterable<GateKey> keys) {
      List<GateKey> missing = new ArrayList<>();
      keys.forEach(
          key -> {
            if (!known.containsKey(key)) {
              missing.add(key);
            }
          });
      if (!missing.isEmpty()) {
        known.putAll(gates.find(missing));
      }
      return known;
    }

    /**
     * Has a job launch, wait or be skipped.
     *
     * @param before the job as it is stored; null if it is not
     * @param due the same or, if it is not stored, as it would be
     * @param patience its schedule's
     */
    Result pass(
        @Nullable Job before,
        Job due,
        Compiled compiled,
        Patience patience,
        GatedPrograms programs,
        Instant leaseEnd) {
      Map<GateKey, Counted> counted = programs.gatesOf(due.program());
      Set<GateKey> concerned = new HashSet<>(counted.keySet());
      concerned.addAll(own(due, patience).keySet());
      if (due.waitsAt() != null) {
        concerned.add(due.waitsAt());
      }
      for (int race = 0; race < MOST_LOST_RACES; race++) {
        find(concerned);
        Step step = step(before, due, compiled, patience, counted, leaseEnd);
        if (step == null) {
          return new Unfit();
        }
        Result result = commit(step);
        if (result != null) {
          return result;
        }
      }
      throw new IllegalStateException("too many others change the gates of " + due.id());
    }

    /** Null if it goes on waiting where it does. */
    private @Nullable Step step(
        @Nullable Job before,
        Job due,
        Compiled compiled,
        Patience patience,
        Map<GateKey, Counted> counted,
        Instant leaseEnd) {
      Closed closed = closed(due, patience, counted).orElse(null);
      if (closed == null) {
        return taking(before, due, patience, counted, leaseEnd);
      }
      if (closed.skips()) {
        Job skipped = due.ended(JobState.SKIPPED, now, unmet(closed));
        return leaving(before, skipped, new HashMap<>());
      }
      if (patience.discards(due.id(), now)) {
        Reason reason = patience.whyTooLate(closed.why().reason());
        return leaving(before, due.ended(JobState.TIMED_OUT, now, reason), new HashMap<>());
      }
      return closed.gate().key().equals(due.waitsAt())
          ? null
          : waiting(before, Requests.resolved(compiled, due), closed, patience);
    }

    /** Why the gates do not let a job through now that waits at one of them. */
    Optional<NotYet> closed(Job job, Patience patience, GatedPrograms programs) {
      Map<GateKey, Counted> counted = programs.gatesOf(job.program());
      Set<GateKey> concerned = new HashSet<>(counted.keySet());
      concerned.addAll(own(job, patience).keySet());
      find(concerned);
      return closed(job, patience, counted).map(Closed::why);
    }

    /**
     * What its own schedule asks of gates. A time-out that launches heeds how many may be
     * unfinished, and nothing else.
     */
    private Map<GateKey, List<GateConstraint>> own(Job due, Patience patience) {
      if (due.ignoresConstraints()) {
        return Map.of();
      }
      boolean isLaunched = patience.launches(due.id(), now);
      String namespace = due.id().schedule().namespace();
      return patience.schedule().constraints().atGates().stream()
          .filter(one -> !isLaunched || one instanceof Concurrency)
          .collect(Collectors.groupingBy(one -> one.limit().gate(namespace, due.program())));
    }

    private Optional<Closed> closed(Job due, Patience patience, Map<GateKey, Counted> counted) {
      Map<GateKey, List<GateConstraint>> own = own(due, patience);
      SortedSet<GateKey> keys = new TreeSet<>(GateKey.ORDER);
      keys.addAll(counted.keySet());
      keys.addAll(own.keySet());
      Closed first = null;
      for (GateKey key : keys) {
        Counted count = counted.getOrDefault(key, Counted.NOTHING);
        Closed closed =
            closed(gate(key), own.getOrDefault(key, List.of()), due, count).orElse(null);
        if (closed != null && closed.skips()) {
          return Optional.of(closed);
        }
        first = first == null ? closed : first;
      }
      return Optional.ofNullable(first);
    }

    private Optional<Closed> closed(
        Gate gate, List<GateConstraint> here, Job due, Counted counted) {
      boolean skips = here.stream().anyMatch(one -> one.onUnmet() == OnUnmet.SKIP);
      for (GateConstraint one : here) {
        NotYet unmet = gate.unmet(List.of(one.limit()), due.id(), now).orElse(null);
        if (unmet != null && one.onUnmet() == OnUnmet.SKIP) {
          return Optional.of(new Closed(gate, unmet, true, false));
        }
      }
      List<Limit> limits = here.stream().map(GateConstraint::limit).toList();
      NotYet unmet =
          counted.slots() || !limits.isEmpty()
              ? gate.unmet(limits, due.id(), now).orElse(null)
              : null;
      if (unmet != null) {
        return Optional.of(new Closed(gate, unmet, false, false));
      }
      if (!here.isEmpty() && gate.waiters() > 0 && hasToQueue(due, gate.key())) {
        NotYet queued = new NotYet(null, "others wait at " + gate.key().shown());
        return Optional.of(new Closed(gate, queued, skips, true));
      }
      return Optional.empty();
    }

    /** Who has had its turn at a later gate has had it at the earlier ones. */
    private static boolean hasToQueue(Job due, GateKey gate) {
      return due.waitsAt() == null || GateKey.ORDER.compare(gate, due.waitsAt()) > 0;
    }

    private Step taking(
        @Nullable Job before,
        Job due,
        Patience patience,
        Map<GateKey, Counted> counted,
        Instant leaseEnd) {
      boolean slotted = counted.values().stream().anyMatch(Counted::slots);
      Passage passage =
          counted.isEmpty() ? null : Passage.through(List.copyOf(counted.keySet()), slotted, now);
      Map<GateKey, Gate> after = new HashMap<>();
      counted.forEach((key, count) -> after.put(key, gate(key).taken(due.id(), count, now)));
      Job taken = patience.launching(due, now, leaseEnd);
      return leaving(before, taken.through(passage), after);
    }

    /**
     * A launch that was interrupted begins anew. What counts launches counts this one as well: the
     * request of the first may have been sent, that of the second will be.
     */
    Result relaunch(Job before, Job after, GatedPrograms programs) {
      Map<GateKey, Counted> counted = new HashMap<>(programs.gatesOf(before.program()));
      counted.values().removeIf(count -> count.launches() == 0);
      Passage passage = before.passage();
      for (int race = 0; race < MOST_LOST_RACES; race++) {
        find(counted.keySet());
        Map<GateKey, Gate> changed = new HashMap<>();
        counted.forEach(
            (key, count) -> changed.put(key, gate(key).taken(before.id(), count.rate(), now)));
        Job launching = passage == null ? after : after.through(passage.again(now));
        Result result = commit(leaving(before, launching, changed));
        if (result != null) {
          return result;
        }
      }
      throw new IllegalStateException("too many others change the gates of " + before.id());
    }

    private Step waiting(@Nullable Job before, Job due, Closed closed, Patience patience) {
      Gate gate = closed.gate();
      Instant opening = closed.why().lookAt();
      Instant wake = closed.isOpenButQueued() ? now : opening == null ? gate.safety(now) : opening;
      Job waiting = due.waitingAt(gate.key(), attention(patience, due, now), now, unmet(closed));
      Map<GateKey, Gate> after = new HashMap<>(Map.of(gate.key(), gate.joined(wake)));
      Step step = leaving(before, waiting, after);
      return new Step(
          before, waiting, step.gates(), List.of(waiting.placeAt(gate.key())), step.leaving());
    }

    private static Reason unmet(Closed closed) {
      return Reason.of(ReasonCode.CONSTRAINTS_UNMET, closed.why().reason());
    }

    /** With the place that the job gives up, if it waited. */
    private Step leaving(@Nullable Job before, Job after, Map<GateKey, Gate> changed) {
      GateKey queue = before == null ? null : before.waitsAt();
      List<Waiter> leaving = new ArrayList<>();
      if (queue != null && before != null) {
        changed.put(queue, changed.getOrDefault(queue, gate(queue)).left());
        leaving.add(before.placeAt(queue));
      }
      return new Step(before, after, changes(changed), List.of(), leaving);
    }

    private List<Change> changes(Map<GateKey, Gate> changed) {
      List<Change> changes = new ArrayList<>();
      changed.forEach((key, after) -> changes.add(new Change(gate(key), after)));
      return changes;
    }

    /**
     * Stores a job that gives up its place, or what it held without having been launched, or is
     * over.
     */
    Result leave(Job before, Job after, boolean wasLaunched) {
      Passage passage = before.passage();
      List<GateKey> counting = passage == null ? List.of() : passage.gates();
      Set<GateKey> concerned = new HashSet<>(counting);
      if (before.waitsAt() != null) {
        concerned.add(before.waitsAt());
      }
      for (int race = 0; race < MOST_LOST_RACES; race++) {
        find(concerned);
        Map<GateKey, Gate> changed = new HashMap<>();
        for (GateKey key : counting) {
          Gate freed = freed(gate(key), before, wasLaunched);
          if (!freed.equals(gate(key))) {
            changed.put(key, freed);
          }
        }
        Result result = commit(leaving(before, after, changed));
        if (result != null) {
          return result;
        }
      }
      throw new IllegalStateException("too many others change the gates of " + before.id());
    }

    private Gate freed(Gate gate, Job job, boolean wasLaunched) {
      Gate freed = gate.freed(job.id());
      Passage passage = job.passage();
      Gate undone = wasLaunched || passage == null ? freed : freed.notLaunched(passage.at());
      return undone.equals(gate) ? gate : undone.wokenBy(now);
    }

    /** Takes a place away that no job has, unless the gate was changed since it was read. */
    void clear(Waiter waiter) {
      if (isDisturbed(waiter.gate())) {
        return;
      }
      commit(
          new Step(
              null,
              null,
              List.of(new Change(gate(waiter.gate()), gate(waiter.gate()).left())),
              List.of(),
              List.of(waiter)));
    }

    /** Notes when somebody has to look at a gate next. */
    boolean lookedAt(GateKey key, @Nullable Instant next) {
      Gate gate = gate(key);
      if (Objects.equals(gate.wakeAt(), next)) {
        return true;
      }
      return commit(
              new Step(
                  null, null, List.of(new Change(gate, gate.lookedAt(next))), List.of(), List.of()))
          != null;
    }

    /** Null if a gate was changed meanwhile. */
    private @Nullable Result commit(Step step) {
      Outcome outcome = stored(step);
      if (outcome instanceof JobLost lost) {
        return new Lost(lost.present());
      }
      if (!(outcome instanceof Gates.Done)) {
        step.gates().forEach(change -> known.remove(change.before().key()));
        step.gates().forEach(change -> disturbed.add(change.before().key()));
        return null;
      }
      for (Change change : step.gates()) {
        Gate after = change.after().stored();
        known.put(after.key(), after);
        Instant wake = after.wakeAt();
        if (wake != null && !wake.equals(change.before().wakeAt())) {
          wakes.put(after.key(), wake);
        }
      }
      return step.after() == null ? new Unfit() : new Stored(step.after());
    }

    /** What concerns a job alone, or a gate alone, needs no transaction. */
    private Outcome stored(Step step) {
      Job after = step.after();
      if (after == null && step.leaving().isEmpty() && step.gates().size() == 1) {
        Change change = step.gates().get(0);
        return gates.update(change.before(), change.after())
            ? new Gates.Done()
            : new Gates.GateLost();
      }
      if (after == null || !step.gates().isEmpty()) {
        return gates.commit(step);
      }
      Optional<Job> present =
          step.before() == null
              ? jobs.insert(List.of(after)).get(0)
              : jobs.update(List.of(new Update(step.before(), after))).get(0);
      return present.<Outcome>map(JobLost::new).orElseGet(Gates.Done::new);
    }
  }
}
