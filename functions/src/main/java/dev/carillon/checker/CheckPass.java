package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.checker.GatedJobs.Candidate;
import dev.carillon.decision.JobDecision;
import dev.carillon.gate.Waiter;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a set of jobs: reads them, decides by {@link JobDecision}, stores the decisions,
 * and sends the launch requests.
 */
final class CheckPass {

  private final CheckServices services;
  private final Instant now;
  private final CheckSnapshot snapshot;
  private final GateTransactions gates;
  private final IndependentSteps steps = new IndependentSteps();
  private final FollowUps followUps;
  private final Decisions decisions;
  private final DeferredWork deferred;
  private final StoredJobs storedJobs;
  private final FormerAttempts formerAttempts;
  private final DueAtGates dueAtGates;
  private final LeaseChecks leaseChecks;
  private final JoiningFires joiningFires;
  private final Set<RunId> runs;

  /**
   * @param runs the runs whose time-outs are due
   * @param due the schedules whose collecting jobs are due, and since when they are due
   * @param earliest an instant that has come, even if the clock has stepped back to before it
   */
  CheckPass(
      CheckServices services,
      Collection<JobId> ids,
      Set<RunId> runs,
      Map<ScheduleId, Instant> due,
      Instant earliest) {
    this.services = services;
    // A check of a job serves its run, too. Two checks in one pass would launch the job twice.
    this.runs = new LinkedHashSet<>(runs);
    this.runs.removeIf(run -> ids.contains(run.job()));
    this.now = services.presentFrom(earliest);
    List<JobId> all = new ArrayList<>(ids);
    this.runs.forEach(run -> all.add(run.job()));
    this.snapshot = CheckSnapshot.of(services.shared(), all, due.keySet(), now);
    this.gates = new GateTransactions(services.shared());
    this.followUps = new FollowUps(now);
    this.storedJobs = new StoredJobs(services.shared().jobs(), snapshot, followUps, now);
    this.formerAttempts = new FormerAttempts(services.pools(), storedJobs, steps);
    this.deferred = new DeferredWork(services, snapshot, now);
    this.decisions = new Decisions(services, snapshot, gates, followUps, steps, deferred, now);
    this.dueAtGates = new DueAtGates(snapshot, gates, decisions, followUps, steps, now);
    this.leaseChecks = new LeaseChecks(services.shared().checks(), services.clock());
    this.joiningFires = new JoiningFires(services, snapshot, decisions, storedJobs);
  }

  /** A pass over jobs. */
  static CheckPass ofJobs(CheckServices services, Collection<JobId> ids) {
    return new CheckPass(services, ids, Set.of(), Map.of(), Instant.MIN);
  }

  Instant now() {
    return now;
  }

  CheckSnapshot snapshot() {
    return snapshot;
  }

  GateTransactions gates() {
    return gates;
  }

  FollowUps followUps() {
    return followUps;
  }

  /**
   * Launches the due jobs that concern no gate, and keeps the others for {@link #launchGated}. Even
   * if another step fails, the requests of the leased jobs are sent.
   */
  void launch(Collection<JobId> ids, Map<ScheduleId, Instant> due) {
    List<JobId> fires = new ArrayList<>();
    List<JobId> stored = new ArrayList<>();
    due.forEach(this::collectAt);
    ids.forEach(id -> sort(id, fires, stored));
    steps.run(() -> insertFires(fires));
    steps.run(() -> updateStored(stored));
    steps.run(this::updateRuns);
    steps.run(this::send);
  }

  private void collectAt(ScheduleId schedule, Instant due) {
    if (snapshot.unreadable().contains(schedule)) {
      storedJobs.postpone(new CollectingJobId(schedule));
    } else {
      deferred.collect(schedule, due);
    }
  }

  private void sort(JobId id, List<JobId> fires, List<JobId> stored) {
    Compiled known = snapshot.compiled().get(id.schedule());
    if (snapshot.isUnreadable(id)) {
      storedJobs.postpone(id);
    } else if (!snapshot.wantsFire(id)) {
      stored.add(id);
    } else if (known == null) {
      storedJobs.postpone(id);
    } else if (!known.schedule().trigger().isPlainTime()) {
      collectAt(id.schedule(), id.at());
    } else if (snapshot.isPassedOver(id)) {
      stored.add(id);
    } else {
      fires.add(id);
    }
  }

  private void insertFires(List<JobId> fires) {
    Map<ScheduleId, List<JobId>> mergedOrSkipped = new LinkedHashMap<>();
    for (JobId id : fires) {
      if (snapshot.mergesOrSkips(id)) {
        mergedOrSkipped.computeIfAbsent(id.schedule(), any -> new ArrayList<>()).add(id);
      } else {
        steps.run(() -> decide(null, snapshot.dueFire(id)));
      }
    }
    steps.run(dueAtGates::decidePerhapsGated);
    decisions.storeSuspended();
    decisions.storeInserts();
    mergedOrSkipped.forEach((schedule, due) -> steps.run(() -> joiningFires.store(schedule, due)));
  }

  private void updateStored(List<JobId> stored) {
    Map<JobId, Job> found = storedJobs.find(stored);
    List<Job> jobs = new ArrayList<>(decisions.takePresent());
    jobs.addAll(found.values());
    stored.stream()
        .filter(id -> !found.containsKey(id) && !storedJobs.isUnreadable(id))
        .forEach(storedJobs::awaitLateInsert);
    for (Job job : formerAttempts.removeRows(jobs)) {
      followUps.endOf(job);
      steps.run(() -> decide(job, job));
    }
    steps.run(dueAtGates::decidePerhapsGated);
    decisions.storeSuspended();
    decisions.storeUpdates();
  }

  private void updateRuns() {
    List<Job> jobs = storedJobs.awaitedBy(runs);
    formerAttempts.removeRows(jobs).forEach(job -> steps.run(() -> decide(job, job)));
    steps.run(dueAtGates::decidePerhapsGated);
    decisions.storeSuspended();
    decisions.storeUpdates();
  }

  private void decide(@Nullable Job before, Job job) {
    if (!dueAtGates.take(before, job)) {
      decisions.carryOut(before, job);
    }
  }

  /** Whether due jobs are left for {@link #launchGated}. */
  boolean hasGated() {
    return !dueAtGates.isEmpty();
  }

  /**
   * Launches the due jobs that concern gates. If the deadline passes first, the remaining jobs are
   * checked again.
   */
  void launchGated(Deadline deadline) {
    steps.run(
        () ->
            dueAtGates.launch(() -> gatedJobs(null, new HashSet<>(), this::sendLeased), deadline));
    steps.run(this::send);
  }

  /** The jobs that a pool chooses. */
  PooledJobs pooled() {
    return new PooledJobs(
        storedJobs,
        decisions,
        pool -> gatedJobs(pool, new HashSet<>(), this::sendLeased),
        this::sendServed,
        now);
  }

  /** Throws if any step of this pass failed; the pass can then be repeated. */
  void rethrow() {
    steps.rethrow();
  }

  private GatedJobs gatedJobs(@Nullable Subject served, Set<ScheduleId> blocked, Runnable send) {
    return new GatedJobs(services, gates, decisions, steps, served, blocked, send);
  }

  /**
   * Lets the waiting jobs of a gate through, in order.
   *
   * @param blocked the schedules whose jobs the gate does not let through now; this method adds to
   *     it
   * @return false if the time was too short to decide on all of them
   */
  boolean serve(GateKey gate, List<Waiter> waiters, Set<ScheduleId> blocked, Deadline deadline) {
    Map<JobId, Job> found = storedJobs.find(waiters.stream().map(Waiter::job).toList());
    List<Candidate> candidates = new ArrayList<>();
    for (Waiter waiter : waiters) {
      Job job = found.get(waiter.job());
      if (job != null && gate.equals(job.waitsAt())) {
        candidates.add(new Candidate(job, job));
      } else if (!storedJobs.isUnreadable(waiter.job())) {
        gates.removePlace(waiter);
      }
    }
    List<Job> waiting = candidates.stream().map(Candidate::job).toList();
    Set<Job> ready = new HashSet<>(formerAttempts.removeRows(waiting));
    candidates.removeIf(one -> !ready.contains(one.job()));
    List<Candidate> late = gatedJobs(gate, blocked, this::sendServed).run(candidates, deadline);
    decisions.storeSuspended();
    send();
    steps.rethrow();
    return late.isEmpty();
  }

  /** Sends the requests of the leased jobs, and adds the follow-up checks of jobs and gates. */
  void send() {
    sendLeased();
    decisions.entries().store();
    decisions.suspended().releasedMeanwhile().forEach(job -> followUps.add(job, now));
    gates.wakes().forEach(followUps::addIfNear);
  }

  private void sendLeased() {
    List<Launch> leased = decisions.takeLaunches();
    leaseChecks.addTracked(leased.stream().map(Launch::job).filter(job -> job.id().isOfBackfill()));
    followUps.addAll(services.sender().send(leased));
  }

  /**
   * Sends checks of the backfills and runs of the jobs that a gate or pool has let through, because
   * no other message names them, then the requests of these jobs. So a crash between loses none.
   */
  private void sendServed() {
    List<Launch> leased = decisions.takeLaunches();
    leaseChecks.addBackfills(leased);
    leaseChecks.addTracked(leased.stream().map(Launch::job));
    followUps.addAll(services.sender().send(leased));
  }

  /** Whether the pass has deferred work, for which no launch waits. */
  boolean hasDeferred() {
    return !deferred.isEmpty();
  }

  /**
   * Runs the deferred work. Throws if any step of this pass failed; the pass can then be repeated.
   */
  void runDeferred() {
    deferred.run(steps);
    steps.rethrow();
  }

  /** The schedules that this pass found exhausted. */
  List<Exhausted> exhausted() {
    return deferred.exhausted();
  }
}
