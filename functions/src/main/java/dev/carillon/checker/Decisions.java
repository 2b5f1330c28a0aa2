package dev.carillon.checker;

import dev.carillon.checker.GateTransactions.Lost;
import dev.carillon.checker.GateTransactions.Result;
import dev.carillon.checker.GateTransactions.Stored;
import dev.carillon.checker.LaunchSender.Launch;
import dev.carillon.decision.DecidedJob;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.AwaitTurn;
import dev.carillon.decision.JobDecision.Hold;
import dev.carillon.decision.JobDecision.Leave;
import dev.carillon.decision.JobDecision.Recheck;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.id.GateKey;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.runtime.Attempt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what is decided about the jobs of one pass. A change that concerns gates is stored at
 * once, as the next decision depends on it; all others are stored together.
 */
final class Decisions {

  private final CheckServices services;
  private final CheckSnapshot snapshot;
  private final GateTransactions gates;
  private final SuspendedJobs suspended;
  private final FollowUps followUps;
  private final IndependentSteps steps;
  private final Instant now;
  private final List<Job> inserts = new ArrayList<>();
  private final List<Update> updates = new ArrayList<>();
  private final List<Change> holds = new ArrayList<>();
  private final List<Job> present = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();

  /** A job before and after; null before for one that is not stored. */
  private record Change(@Nullable Job before, Job after) {}

  Decisions(
      CheckServices services,
      CheckSnapshot snapshot,
      GateTransactions gates,
      FollowUps followUps,
      IndependentSteps steps,
      Instant now) {
    this.services = services;
    this.snapshot = snapshot;
    this.gates = gates;
    this.suspended = new SuspendedJobs(services.shared(), snapshot, now);
    this.followUps = followUps;
    this.steps = steps;
    this.now = now;
  }

  /** The jobs that the pass has claimed, to be sent. */
  List<Launch> launches() {
    return launches;
  }

  /** The rows of jobs that were to be inserted and were there already. */
  List<Job> present() {
    return present;
  }

  SuspendedJobs suspended() {
    return suspended;
  }

  /**
   * Decides on a job and stores that, or adds it to what is stored together. If another writer
   * changes a gate in between, the decision is made again.
   *
   * @param before the job as it is stored; null if it is not
   */
  JobDecision carryOut(@Nullable Job before, Job job, @Nullable GateKey served) {
    JobSnapshot given = snapshot.of(job, served, gates);
    return services
        .shared()
        .updates()
        .run(
            job.id(),
            () -> {
              JobDecision decision = JobDecision.decide(job, given, now);
              Job after = DecidedJob.after(job, decision, given, now, leaseEnd());
              return attempt(before, job, after, decision).map(any -> decision);
            });
  }

  private Instant leaseEnd() {
    return now.plus(CheckProcessor.LEASE);
  }

  private Attempt<Boolean> attempt(
      @Nullable Job before, Job job, @Nullable Job after, JobDecision decision) {
    if (decision instanceof Recheck recheck) {
      followUps.add(job.id(), recheck.at());
    } else if (decision instanceof AwaitTurn turn) {
      awaitTurn(job, turn);
    } else if (decision instanceof Hold) {
      suspended.add(job);
      if (after != null) {
        holds.add(new Change(before, after));
      }
    } else if (after != null) {
      return store(before, after, decision);
    }
    return Attempt.done(true);
  }

  private Attempt<Boolean> store(@Nullable Job before, Job after, JobDecision decision) {
    Step step = DecidedJob.step(before, after, decision, gates.changesFor(before));
    if (!step.gates().isEmpty()) {
      return gates.commit(step).map(result -> settle(before, result));
    }
    if (before == null) {
      inserts.add(after);
    } else {
      updates.add(new Update(before, after));
    }
    return Attempt.done(true);
  }

  /** The gate serves those that wait; a job that waits on is checked in time for its time-out. */
  private void awaitTurn(Job job, AwaitTurn turn) {
    followUps.add(turn.gate(), now);
    if (turn.isTimedOut()) {
      followUps.add(job.id(), now);
      return;
    }
    TimeoutPolicy timeouts = snapshot.timeoutsOf(job);
    Instant attention = DecidedJob.attentionAtGate(timeouts, job, now);
    boolean isMoved =
        timeouts.endAhead(job.id(), now).isPresent() && !attention.equals(job.attentionAt());
    if (isMoved || (job.attentionAt() != null && !job.attentionAt().isAfter(now))) {
      updates.add(new Update(job, job.waitingOn(attention)));
    }
  }

  /** Stores the jobs that are held back, once they are recorded. */
  void storeHolds() {
    suspended.record();
    List<Change> changes = List.copyOf(holds);
    holds.clear();
    changes.forEach(one -> steps.run(() -> storeHold(one)));
  }

  private void storeHold(Change held) {
    services
        .shared()
        .updates()
        .run(held.after().id(), () -> store(held.before(), held.after(), new Leave()));
  }

  /** Inserts the jobs that concern no gate. */
  void storeInserts() {
    List<Job> all = List.copyOf(inserts);
    inserts.clear();
    List<Optional<Job>> found = services.shared().jobs().insert(all);
    for (int i = 0; i < all.size(); i++) {
      Job inserted = all.get(i);
      found.get(i).ifPresentOrElse(present::add, () -> proceed(inserted));
    }
  }

  /** Updates the jobs that concern no gate. */
  void storeUpdates() {
    List<Update> all = List.copyOf(updates);
    updates.clear();
    List<Optional<Job>> found = services.shared().jobs().update(all);
    for (int i = 0; i < all.size(); i++) {
      Update one = all.get(i);
      found
          .get(i)
          .ifPresentOrElse(
              other -> followUps.lostRace(one.before(), other), () -> proceed(one.after()));
    }
  }

  private boolean settle(@Nullable Job before, Result result) {
    if (result instanceof Stored stored) {
      proceed(stored.job());
    } else if (result instanceof Lost lost && before == null) {
      present.add(lost.present());
    } else if (result instanceof Lost lost && before != null) {
      followUps.lostRace(before, lost.present());
    }
    return true;
  }

  private void proceed(Job after) {
    followUps.endOf(after);
    if (after.state() == JobState.PENDING_LAUNCH) {
      launches.add(new Launch(snapshot.compiledOf(after), snapshot.timeoutsOf(after), after));
    } else if (after.isWaiting()) {
      followUps.waiting(after, snapshot.timeoutsOf(after).endAhead(after.id(), now));
    }
  }
}
