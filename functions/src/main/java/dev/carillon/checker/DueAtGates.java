package dev.carillon.checker;

import dev.carillon.checker.GatedJobs.Candidate;
import dev.carillon.id.GateKey;
import dev.carillon.job.Job;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The due jobs of one pass that concern gates. They are launched after all others. */
final class DueAtGates {

  private final CheckSnapshot snapshot;
  private final GateTransactions gates;
  private final Decisions decisions;
  private final FollowUps followUps;
  private final IndependentSteps steps;
  private final Instant now;
  private final List<Candidate> gated = new ArrayList<>();
  private final List<Candidate> perhapsGated = new ArrayList<>();

  DueAtGates(
      CheckSnapshot snapshot,
      GateTransactions gates,
      Decisions decisions,
      FollowUps followUps,
      IndependentSteps steps,
      Instant now) {
    this.snapshot = snapshot;
    this.gates = gates;
    this.decisions = decisions;
    this.followUps = followUps;
    this.steps = steps;
    this.now = now;
  }

  /** Takes a job that concerns gates, or that may concern them; false for any other. */
  boolean take(@Nullable Job before, Job job) {
    if (job.isEnded()) {
      return false;
    }
    if (snapshot.concernsGates(job)) {
      return gated.add(new Candidate(before, job));
    }
    return snapshot.gateOfOthers(job).isPresent() && perhapsGated.add(new Candidate(before, job));
  }

  /**
   * Reads with one request whether other schedules limit the programs of the jobs, and carries out
   * the decisions on the jobs that concern no gate.
   */
  void decidePerhapsGated() {
    List<Candidate> all = List.copyOf(perhapsGated);
    perhapsGated.clear();
    Set<GateKey> unreadable =
        gates.read(all.stream().flatMap(it -> snapshot.gateOfOthers(it.job()).stream()).toList());
    for (Candidate one : all) {
      GateKey own = snapshot.gateOfOthers(one.job()).orElseThrow();
      boolean isGated = unreadable.contains(own) || !gates.gate(own).demands().isEmpty();
      if (isGated) {
        gated.add(one);
      } else {
        steps.run(() -> decisions.carryOut(one.before(), one.job()));
      }
    }
  }

  boolean isEmpty() {
    return gated.isEmpty();
  }

  /**
   * Launches the jobs. A job for which no time is left is checked again.
   *
   * @param groups stores jobs in groups, and sends each group
   */
  void launch(Supplier<GatedJobs> groups, Deadline deadline) {
    List<Candidate> next = new ArrayList<>(gated);
    gated.clear();
    next.sort(
        Comparator.comparing(
            one -> one.job().id().schedule().namespace() + "/" + one.job().program()));
    while (!next.isEmpty()) {
      groups.get().run(next, deadline).forEach(late -> followUps.add(late.job().id(), now));
      decisions.storeSuspended();
      decisions.storeInserts();
      decisions.storeUpdates();
      next.clear();
      for (Job job : decisions.takePresent()) {
        decisions.found(job);
        next.add(new Candidate(job, job));
      }
    }
  }
}
