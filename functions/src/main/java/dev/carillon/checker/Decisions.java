package dev.carillon.checker;

import dev.carillon.checker.GateTransactions.Lost;
import dev.carillon.checker.GateTransactions.Result;
import dev.carillon.checker.GateTransactions.Stored;
import dev.carillon.decision.DecidedJob;
import dev.carillon.decision.GateChanges;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.AwaitChoice;
import dev.carillon.decision.JobDecision.AwaitTurn;
import dev.carillon.decision.JobDecision.Conclude;
import dev.carillon.decision.JobDecision.Recheck;
import dev.carillon.decision.JobDecision.Suspend;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import dev.carillon.job.Gates.Step;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TimeoutPolicy;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.runtime.Attempt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions about the jobs of one pass. Changes that concern no gate are stored
 * together; {@link GatedJobs} stores the others.
 */
final class Decisions {

  private final CheckServices services;
  private final CheckSnapshot snapshot;
  private final GateTransactions gates;
  private final SuspendedJobs suspended;
  private final FollowUps followUps;
  private final IndependentSteps steps;
  private final DeferredWork deferred;
  private final PoolEntries entries;
  private final PassPools pools;
  private final Instant now;
  private final List<Job> inserts = new ArrayList<>();
  private final List<Update> updates = new ArrayList<>();
  private final List<Decided> suspensions = new ArrayList<>();
  private final List<Job> present = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();

  Decisions(
      CheckServices services,
      CheckSnapshot snapshot,
      GateTransactions gates,
      FollowUps followUps,
      IndependentSteps steps,
      DeferredWork deferred,
      Instant now) {
    this.services = services;
    this.snapshot = snapshot;
    this.gates = gates;
    this.entries = new PoolEntries(services, followUps, steps, now);
    this.pools = new PassPools(services.shared().pools(), services.requests(), services.patterns());
    this.suspended = new SuspendedJobs(services, snapshot, now);
    this.followUps = followUps;
    this.steps = steps;
    this.deferred = deferred;
    this.now = now;
  }

  /** The jobs that the pass has leased and not sent yet, the most urgent first. */
  List<Launch> takeLaunches() {
    List<Launch> leased = new ArrayList<>(launches);
    leased.sort(Comparator.comparingInt(launch -> launch.job().priority()));
    launches.clear();
    return leased;
  }

  /** The jobs that the pass tried to insert and that were stored already. */
  List<Job> takePresent() {
    List<Job> others = List.copyOf(present);
    present.clear();
    return others;
  }

  /** The present instant, or that of the pass if the clock has stepped back to before it. */
  Instant present() {
    return services.presentFrom(now);
  }

  void addPresent(List<Job> others) {
    present.addAll(others);
  }

  PoolEntries entries() {
    return entries;
  }

  SuspendedJobs suspended() {
    return suspended;
  }

  /** A job and what was decided about it; {@code before} is null for a job that is not stored. */
  record Decided(@Nullable Job before, Job job, JobDecision decision, @Nullable Job after) {}

  /**
   * Decides on a job.
   *
   * @param before the job as it is stored; null if it is not
   * @param served the gate or pool whose waiting jobs are let through; null for none
   */
  Decided decide(@Nullable Job before, Job job, @Nullable Subject served, Instant at) {
    JobSnapshot given = snapshot.of(job, served, pools, gates);
    JobDecision decision = JobDecision.decide(job, given, at);
    Instant sent = at.plus(services.sender().sendingTime());
    Job after = DecidedJob.after(job, decision, given, at, at.plus(CheckProcessor.LEASE), sent);
    return new Decided(before, job, decision, after);
  }

  /** Decides on a job that concerns no gate. Its change is stored with those of the others. */
  void carryOut(@Nullable Job before, Job job) {
    apply(decide(before, job, null, now));
  }

  /** Adds a decision to the changes that are stored together, or to the work after the pass. */
  void apply(Decided decided) {
    Job job = decided.job();
    Job after = decided.after();
    if (decided.decision() instanceof Recheck recheck) {
      followUps.addUndecided(job.isRunning() ? job.runId() : job.id(), recheck.at());
    } else if (decided.decision() instanceof Conclude) {
      deferred.conclude(job);
    } else if (decided.decision() instanceof AwaitChoice) {
      DecidedJob.awaitingChoice(snapshot.timeoutsOf(job), job, now)
          .ifPresentOrElse(due -> updates.add(new Update(job, due)), () -> entries.add(job));
    } else if (decided.decision() instanceof AwaitTurn turn) {
      awaitTurn(job, turn);
    } else if (decided.decision() instanceof Suspend) {
      suspended.add(job);
      if (after != null) {
        suspensions.add(decided);
      }
    } else if (after != null) {
      add(decided.before(), after);
    }
  }

  void add(@Nullable Job before, Job after) {
    if (before == null) {
      inserts.add(after);
    } else {
      updates.add(new Update(before, after));
    }
  }

  /**
   * The gate serves its waiting jobs. A job that keeps waiting is checked in time for its time-out.
   */
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

  /** Stores the suspended jobs, after they are recorded with their suspension. */
  void storeSuspended() {
    List<Decided> all = List.copyOf(suspensions);
    suspensions.clear();
    suspended.record(all.stream().map(Decided::before).filter(Objects::nonNull).toList());
    all.forEach(one -> steps.run(() -> storeSuspended(one)));
  }

  private void storeSuspended(Decided suspension) {
    Job after = Objects.requireNonNull(suspension.after());
    services
        .shared()
        .updates()
        .run(
            after.id(),
            () -> {
              GateChanges changes = gates.changesFor(suspension.before(), now);
              Step step =
                  DecidedJob.step(suspension.before(), after, suspension.decision(), changes);
              if (step.gates().isEmpty()) {
                add(suspension.before(), after);
                return Attempt.done(true);
              }
              return gates.commitOne(step).map(result -> settle(suspension.before(), result));
            });
  }

  /** Inserts the jobs that concern no gate. */
  void storeInserts() {
    List<Job> all = List.copyOf(inserts);
    inserts.clear();
    Set<JobId> unreadable = new HashSet<>();
    List<Optional<Job>> found = outcomes(() -> services.shared().jobs().insert(all), unreadable);
    for (int i = 0; i < all.size(); i++) {
      Job inserted = all.get(i);
      if (!unreadable.contains(inserted.id())) {
        found.get(i).ifPresentOrElse(present::add, () -> steps.run(() -> proceed(null, inserted)));
      }
    }
  }

  /** Updates the jobs that concern no gate. */
  void storeUpdates() {
    List<Update> all = List.copyOf(updates);
    updates.clear();
    Set<JobId> unreadable = new HashSet<>();
    List<Optional<Job>> found = outcomes(() -> services.shared().jobs().update(all), unreadable);
    for (int i = 0; i < all.size(); i++) {
      Update one = all.get(i);
      if (!unreadable.contains(one.after().id())) {
        found
            .get(i)
            .ifPresentOrElse(
                followUps::lostRace, () -> steps.run(() -> proceed(one.before(), one.after())));
      }
    }
  }

  /**
   * The outcomes of a write.
   *
   * @param unreadable receives the jobs whose stored items cannot be read; they are checked later
   */
  private List<Optional<Job>> outcomes(Supplier<List<Optional<Job>>> write, Set<JobId> unreadable) {
    try {
      return write.get();
    } catch (UnreadableJobs damaged) {
      unreadable.addAll(damaged.ids());
      damaged.ids().forEach(followUps::addUnreadable);
      return damaged.outcomes();
    }
  }

  private boolean settle(@Nullable Job before, Result result) {
    if (result instanceof Stored stored) {
      proceed(before, stored.job());
    } else if (result instanceof Lost lost) {
      lose(before, lost.present());
    }
    return true;
  }

  /**
   * Handles a job that is stored already. If it has ended, its backfill may not have counted it.
   */
  void found(Job present) {
    followUps.endOf(present);
  }

  /** Handles a job that another writer has changed first. */
  void lose(@Nullable Job before, Job other) {
    if (before == null) {
      present.add(other);
    } else {
      followUps.lostRace(other);
    }
  }

  /** Continues with a job that is stored as decided. */
  void proceed(@Nullable Job before, Job after) {
    followUps.endOf(after);
    if (before != null) {
      services.pools().left(List.of(before), List.of(after));
    }
    if (after.state() == JobState.PENDING_LAUNCH) {
      launches.add(Launch.of(after, snapshot, gates, pools));
    } else if (after.isConcluding()) {
      followUps.add(after.runId(), now);
    } else if (after.state() == JobState.RETRY_WAIT) {
      followUps.addIfNear(after.runId(), Objects.requireNonNull(after.notBefore()));
    } else if (after.isReady()) {
      entries.add(after);
      followUps.waiting(after, snapshot.timeoutsOf(after).endAhead(after.id(), now));
    } else if (after.isWaiting()) {
      followUps.waiting(after, snapshot.timeoutsOf(after).endAhead(after.id(), now));
    }
  }
}
