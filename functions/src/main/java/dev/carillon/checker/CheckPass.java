package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.KeepPlace;
import dev.carillon.gate.Waiter;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One pass over some jobs: reads, has {@link JobDecision} decide, stores what was decided, and
 * sends what is launched.
 */
final class CheckPass {

  private final CheckServices services;
  private final Instant now;
  private final CheckSnapshot snapshot;
  private final GateTransactions gates;
  private final IndependentSteps steps = new IndependentSteps();
  private final FollowUps followUps;
  private final Decisions decisions;
  private final Map<ScheduleId, Instant> collecting = new LinkedHashMap<>();
  private final Set<JobId> unreadable = new HashSet<>();

  /**
   * @param due the schedules whose collecting jobs are due, and since when
   */
  CheckPass(CheckServices services, Collection<JobId> ids, Map<ScheduleId, Instant> due) {
    this.services = services;
    this.now = services.clock().instant();
    this.snapshot = CheckSnapshot.of(services.shared(), ids, due.keySet(), now);
    this.gates = new GateTransactions(services.shared(), now);
    this.followUps = new FollowUps(now);
    this.decisions = new Decisions(services, snapshot, gates, followUps, steps, now);
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

  // ---- jobs that are due

  /** Launches what is due: also what was claimed before something else has failed. */
  void launch(Collection<JobId> ids, Map<ScheduleId, Instant> due) {
    List<JobId> fires = new ArrayList<>();
    List<JobId> withRow = new ArrayList<>();
    due.forEach(this::collectAt);
    ids.forEach(id -> sort(id, fires, withRow));
    steps.run(() -> insertFires(fires));
    steps.run(() -> updateRows(withRow));
    steps.run(this::send);
  }

  private void collectAt(ScheduleId schedule, Instant due) {
    if (snapshot.unreadable().contains(schedule)) {
      postpone(new CollectingJobId(schedule));
    } else {
      collecting.merge(schedule, due, (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  private void sort(JobId id, List<JobId> fires, List<JobId> withRow) {
    Compiled known = snapshot.compiled().get(id.schedule());
    if (snapshot.unreadable().contains(id.schedule())) {
      postpone(id);
    } else if (!snapshot.wantsFire(id)) {
      withRow.add(id);
    } else if (known == null) {
      postpone(id);
    } else if (!known.schedule().trigger().isPlainTime()) {
      collectAt(id.schedule(), id.at());
    } else if (snapshot.isPassedOver(id)) {
      withRow.add(id);
    } else {
      fires.add(id);
    }
  }

  private void postpone(Subject subject) {
    followUps.add(subject, now.plus(JobDecision.UNREADABLE_PAUSE));
  }

  private void insertFires(List<JobId> fires) {
    Map<ScheduleId, List<JobId>> mergedOrSkipped = new LinkedHashMap<>();
    for (JobId id : fires) {
      if (snapshot.mergesOrSkips(id)) {
        mergedOrSkipped.computeIfAbsent(id.schedule(), any -> new ArrayList<>()).add(id);
      } else {
        steps.run(() -> decisions.carryOut(null, snapshot.dueFire(id), null));
      }
    }
    decisions.storeHolds();
    decisions.storeInserts();
    mergedOrSkipped.forEach((schedule, due) -> steps.run(() -> mergeOrSkip(schedule, due)));
  }

  private void mergeOrSkip(ScheduleId schedule, List<JobId> due) {
    Head head = snapshot.heads().get(schedule);
    Compiled known = snapshot.compiled().get(schedule);
    if (head != null && known != null) {
      decisions.present().addAll(services.collector().mergeOrSkip(known, head, due));
    }
  }

  private void updateRows(List<JobId> withRow) {
    Map<JobId, Job> found = find(withRow);
    List<Job> rows = new ArrayList<>(decisions.present());
    rows.addAll(found.values());
    withRow.stream()
        .filter(id -> !found.containsKey(id) && !unreadable.contains(id))
        .forEach(this::awaitLateInsert);
    for (Job row : rows) {
      followUps.endOf(row);
      steps.run(() -> decisions.carryOut(row, row, null));
    }
    decisions.storeHolds();
    decisions.storeUpdates();
  }

  /** Those that exist and can be read; the others are checked later. */
  private Map<JobId, Job> find(List<JobId> wanted) {
    try {
      return services.shared().jobs().find(wanted);
    } catch (UnreadableJobs damaged) {
      unreadable.addAll(damaged.ids());
      damaged.ids().forEach(this::postpone);
      List<JobId> rest = wanted.stream().filter(id -> !unreadable.contains(id)).toList();
      return services.shared().jobs().find(rest);
    }
  }

  /**
   * A checker that read the old head may still insert this fire's job and crash; the fire is
   * checked again once the change has settled. A backfill looks after its jobs that have no row
   * itself.
   */
  private void awaitLateInsert(JobId id) {
    snapshot
        .backfillOf(id)
        .filter(backfill -> backfill.names(id))
        .ifPresent(backfill -> followUps.add(backfill.id(), now));
    Head head = snapshot.heads().get(id.schedule());
    if (id.isFire() && head != null && head.settledAt().isAfter(now)) {
      followUps.add(id, head.settledAt());
    }
  }

  // ---- jobs that wait at a gate

  /**
   * Lets those through that wait at a gate, in order.
   *
   * @param unfit the schedules whose jobs the gate does not let through now; takes more of them
   */
  void serve(GateKey gate, List<Waiter> waiters, Set<ScheduleId> unfit) {
    Map<JobId, Job> found = find(waiters.stream().map(Waiter::job).toList());
    for (Waiter waiter : waiters) {
      Job row = found.get(waiter.job());
      if (unreadable.contains(waiter.job())) {
        continue;
      }
      if (row == null || !gate.equals(row.waitsAt())) {
        gates.removePlace(waiter);
      } else if (!unfit.contains(row.id().schedule())) {
        if (decisions.carryOut(row, row, gate) instanceof KeepPlace) {
          unfit.add(row.id().schedule());
        }
        // The message names the gate, so nothing else would repeat this check after a crash.
        services.sender().repeatAfterLease(decisions.suspended().record());
        decisions.storeHolds();
      }
    }
    steps.rethrow();
    services.sender().repeatBackfillsAfterLease(decisions.launches());
    send();
  }

  // ---- the end of a pass

  /** Sends what this pass launches, and names the gates that have to be served. */
  void send() {
    followUps.addAll(services.sender().send(decisions.launches()));
    decisions.suspended().releasedMeanwhile().forEach(job -> followUps.add(job, now));
    gates.wakes().forEach(followUps::addIfNear);
  }

  /** Whether fires have to be counted, or schedules ended. */
  boolean hasDeferred() {
    return !collecting.isEmpty() || !exhausted().isEmpty();
  }

  /**
   * Counts fires, and ends schedules, side by side. No launch has to wait for that.
   *
   * @throws RuntimeException if anything of this pass is unknown
   */
  void runDeferred() {
    steps.run(() -> services.fanout().forEach(List.copyOf(collecting.keySet()), this::collect));
    steps.run(() -> services.completion().complete(exhausted(), now));
    steps.rethrow();
  }

  private void collect(ScheduleId schedule) {
    Head head = snapshot.heads().get(schedule);
    Compiled known = snapshot.compiled().get(schedule);
    if (head == null) {
      return;
    }
    if (head.collects() && known != null && !known.schedule().trigger().isPlainTime()) {
      services.collector().advance(known, head, collecting.getOrDefault(schedule, now));
    } else {
      services.collector().discard(head);
    }
  }

  /** The schedules that this pass found exhausted. */
  List<Exhausted> exhausted() {
    return Completion.among(snapshot.heads(), snapshot.compiled(), now);
  }
}
