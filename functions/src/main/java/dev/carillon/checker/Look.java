package dev.carillon.checker;

import dev.carillon.checker.Completion.Exhausted;
import dev.carillon.checker.Launcher.Launch;
import dev.carillon.checker.Launcher.Tools;
import dev.carillon.constraint.Verdict;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Patience;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One look at some jobs: what is decided about them, and stored. */
final class Look {

  private final Tools tools;
  private final Instant now;
  private final Instant leaseEnd;
  private final Collection<JobId> ids;
  private final Reading reading;
  private final HoldingBack holdingBack;
  private final Gatekeeper.Visit visit;
  private final List<JobId> fires = new ArrayList<>();
  private final List<JobId> withRow = new ArrayList<>();
  private final List<Job> rows = new ArrayList<>();
  private final Set<JobId> unreadable = new HashSet<>();
  private final Map<ScheduleId, JobId> latestCollected = new LinkedHashMap<>();
  private final List<Launch> launches = new ArrayList<>();
  private final Apart apart = new Apart();
  private final Map<Subject, Instant> again = new LinkedHashMap<>();

  Look(Tools tools, Collection<JobId> ids) {
    this.tools = tools;
    this.now = tools.clock().instant();
    this.leaseEnd = now.plus(Launcher.LEASE);
    this.ids = ids;
    this.reading = Reading.of(tools, ids, now);
    this.holdingBack = new HoldingBack(tools, reading, now);
    this.visit = tools.gatekeeper().visit(now);
  }

  Instant now() {
    return now;
  }

  Reading reading() {
    return reading;
  }

  Gatekeeper.Visit visit() {
    return visit;
  }

  /** What somebody has to look at again for this look to count as done, and when. */
  Map<Subject, Instant> again() {
    return again;
  }

  /** Launches what is due: also what was claimed before something else has failed. */
  void launch() {
    sortOut();
    apart.take(this::insertFires);
    apart.take(this::updateRows);
    apart.take(this::finish);
  }

  private void sortOut() {
    for (JobId id : ids) {
      Compiled known = reading.compiled().get(id.schedule());
      if (reading.unreadable().contains(id.schedule())) {
        postpone(id);
      } else if (id.isLook()) {
        latestCollected.merge(id.schedule(), id, Look::later);
      } else if (!reading.wantsFire(id)) {
        withRow.add(id);
      } else if (known == null) {
        postpone(id);
      } else if (known.schedule().trigger().isPlainTime()) {
        fires.add(id);
        if (reading.isPassedOver(id)) {
          withRow.add(id);
        }
      } else {
        latestCollected.merge(id.schedule(), id, Look::later);
      }
    }
  }

  /** What is wanted of it cannot be read now. */
  private void postpone(JobId id) {
    again.put(id, now.plus(Launcher.UNREADABLE_PAUSE));
  }

  private static JobId later(JobId one, JobId other) {
    return one.at().isAfter(other.at()) ? one : other;
  }

  private void insertFires() {
    List<Job> inserts = new ArrayList<>();
    Map<ScheduleId, List<JobId>> admitted = new LinkedHashMap<>();
    for (JobId id : fires.stream().filter(fire -> !reading.isPassedOver(fire)).toList()) {
      if (reading.isAdmitted(id)) {
        admitted.computeIfAbsent(id.schedule(), any -> new ArrayList<>()).add(id);
        continue;
      }
      Job due = reading.dueFire(id);
      Job after = reading.isHeld(due) ? holdingBack.held(due) : checked(due);
      if (after.state() == JobState.PENDING_LAUNCH && reading.isGated(due)) {
        apart.take(() -> pass(null, due));
      } else {
        inserts.add(after);
      }
    }
    holdingBack.remember();
    List<Optional<Job>> present = tools.jobs().insert(inserts);
    for (int i = 0; i < inserts.size(); i++) {
      Job inserted = inserts.get(i);
      present.get(i).ifPresentOrElse(rows::add, () -> proceed(inserted));
    }
    admitted.forEach((schedule, due) -> apart.take(() -> admit(schedule, due)));
  }

  private void admit(ScheduleId schedule, List<JobId> due) {
    Head head = reading.heads().get(schedule);
    Compiled known = reading.compiled().get(schedule);
    if (head != null && known != null) {
      rows.addAll(tools.collector().admit(known, head, due));
    }
  }

  /** What becomes of a job that is due, after what the clock decides. */
  private Job checked(Job job) {
    Compiled known = reading.compiledOf(job);
    Patience patience = reading.patienceOf(job);
    Verdict verdict = patience.byClock(job, now);
    if (verdict instanceof Verdict.NotYet wait && wait.lookAt() != null) {
      Instant opening = wait.lookAt();
      boolean isInMessage = Launcher.isInMessage(opening, now);
      Instant attention = isInMessage ? opening.plus(Job.ATTENTION_SLACK) : opening;
      Reason unmet = Reason.of(ReasonCode.CONSTRAINTS_UNMET, wait.reason());
      return Requests.resolved(known, job).waitingUntil(opening, attention, now, unmet);
    }
    if (verdict instanceof Verdict.Never never) {
      Reason unmet = Reason.of(ReasonCode.CONSTRAINTS_UNMET, never.reason());
      return job.ended(JobState.SKIPPED, now, unmet);
    }
    if (verdict instanceof Verdict.TooLate late) {
      return job.ended(JobState.TIMED_OUT, now, patience.whyTooLate(late, job));
    }
    return patience.launching(job, now, leaseEnd);
  }

  private void updateRows() {
    Map<JobId, Job> found = find(withRow);
    rows.addAll(found.values());
    withRow.stream()
        .filter(id -> !found.containsKey(id) && !unreadable.contains(id))
        .forEach(this::awaitStragglers);
    List<Update> decided = new ArrayList<>();
    for (Job row : rows) {
      tellBackfill(row);
      decide(row).ifPresent(after -> decided.add(new Update(row, after)));
    }
    holdingBack.remember();
    List<Update> updates = new ArrayList<>();
    decided.forEach(one -> apart.take(() -> store(one.before(), one.after(), updates)));
    List<Optional<Job>> others = tools.jobs().update(updates);
    for (int i = 0; i < updates.size(); i++) {
      Job after = updates.get(i).after();
      Job before = updates.get(i).before();
      others.get(i).ifPresentOrElse(other -> lookAgain(before, other), () -> proceed(after));
    }
  }

  /** Those that exist and can be read; the others are looked at again. */
  private Map<JobId, Job> find(List<JobId> wanted) {
    try {
      return tools.jobs().find(wanted);
    } catch (UnreadableJobs damaged) {
      unreadable.addAll(damaged.ids());
      damaged.ids().forEach(this::postpone);
      return tools.jobs().find(wanted.stream().filter(id -> !unreadable.contains(id)).toList());
    }
  }

  /** What concerns no gate is stored together. */
  private void store(Job row, Job after, List<Update> updates) {
    boolean launches = after.state() == JobState.PENDING_LAUNCH;
    boolean wasLaunching = row.state() == JobState.PENDING_LAUNCH;
    if (row.waitsAt() != null && launches) {
      awaitTurn(row, row.waitsAt(), updates);
    } else if (launches && !wasLaunching && reading.isGated(row)) {
      pass(row, row);
    } else if (launches && wasLaunching && reading.programs(row).countsLaunches(row.program())) {
      heed(row, visit.relaunch(row, after, reading.programs(row)));
    } else if (!launches && row.hasStakeInGates()) {
      leave(row, after).ifPresentOrElse(other -> lookAgain(row, other), () -> proceed(after));
    } else {
      updates.add(new Update(row, after));
    }
  }

  /** Who waits at a gate goes through it in its turn, unless its time is over. */
  private void awaitTurn(Job row, GateKey gate, List<Update> updates) {
    Patience patience = reading.patienceOf(row);
    boolean isOver = patience.discards(row.id(), now);
    if (patience.launches(row.id(), now) && !pass(row, row)) {
      return;
    }
    NotYet closed = isOver ? visit.closed(row, patience, reading.programs(row)).orElse(null) : null;
    if (closed != null) {
      Job late = row.ended(JobState.TIMED_OUT, now, patience.whyTooLate(closed.reason()));
      leave(row, late).ifPresent(other -> lookAgain(row, other));
      return;
    }
    again.put(gate, now);
    if (isOver) {
      again.put(row.id(), now);
      return;
    }
    Instant attention = Gatekeeper.attention(patience, row, now);
    boolean isMoved =
        patience.endAhead(row.id(), now).isPresent() && !attention.equals(row.attentionAt());
    if (isMoved || (row.attentionAt() != null && !row.attentionAt().isAfter(now))) {
      updates.add(new Update(row, row.waitingOn(attention)));
    }
  }

  /** Goes through those who wait at a gate, in order. */
  void serve(List<Waiter> waiters, Set<ScheduleId> unfit) {
    Map<JobId, Job> found = find(waiters.stream().map(Waiter::job).toList());
    for (Waiter waiter : waiters) {
      Job row = found.get(waiter.job());
      if (unreadable.contains(waiter.job())) {
        continue;
      }
      if (row == null || !waiter.gate().equals(row.waitsAt())) {
        visit.clear(waiter);
      } else if (!unfit.contains(row.id().schedule())) {
        serve(row, unfit);
      }
    }
  }

  private void serve(Job row, Set<ScheduleId> unfit) {
    if (row.id().isFire() && reading.isWantedFire(row.id())) {
      fires.add(row.id());
    }
    Job after = decide(row).orElse(null);
    holdingBack.rememberAtGate();
    if (after == null) {
      return;
    }
    if (after.state() != JobState.PENDING_LAUNCH) {
      leave(row, after).ifPresentOrElse(other -> lookAgain(row, other), () -> proceed(after));
    } else if (pass(row, row)) {
      unfit.add(row.id().schedule());
    }
  }

  /** Whether it goes on waiting where it does. */
  private boolean pass(@Nullable Job before, Job due) {
    Gatekeeper.Result result =
        visit.pass(
            before,
            due,
            reading.compiledOf(due),
            reading.patienceOf(due),
            reading.programs(due),
            leaseEnd);
    heed(before, result);
    return result instanceof Gatekeeper.Unfit;
  }

  private void heed(@Nullable Job before, Gatekeeper.Result result) {
    if (result instanceof Gatekeeper.Stored stored) {
      proceed(stored.job());
    } else if (result instanceof Gatekeeper.Lost lost && before == null) {
      rows.add(lost.present());
    } else if (result instanceof Gatekeeper.Lost lost && before != null) {
      lookAgain(before, lost.present());
    }
  }

  /** Empty if it was stored, else the job as it is. */
  Optional<Job> leave(Job before, Job after) {
    boolean wasLaunched = before.state() == JobState.ENQUEUED;
    Gatekeeper.Result result = visit.leave(before, after, wasLaunched);
    return result instanceof Gatekeeper.Lost lost ? Optional.of(lost.present()) : Optional.empty();
  }

  /**
   * Who had read the head before it was changed may yet insert the fire's job, and die then. For
   * its job that is not wanted any more a backfill cares itself.
   */
  private void awaitStragglers(JobId id) {
    reading
        .backfillOf(id)
        .filter(backfill -> backfill.names(id))
        .ifPresent(backfill -> again.put(backfill.id(), now));
    Head head = reading.heads().get(id.schedule());
    if (id.isFire() && head != null && head.settledAt().isAfter(now)) {
      again.put(id, head.settledAt());
    }
  }

  /** A clock that is ahead of this one may have found the trigger satisfied too early for it. */
  private Optional<Job> decide(Job row) {
    if (row.state() == JobState.ENQUEUED) {
      return timedOut(row);
    }
    if (row.state() != JobState.PENDING_CONSTRAINT && row.state() != JobState.PENDING_LAUNCH) {
      return Optional.empty();
    }
    if (row.isBeingLaunched(now)) {
      leaveToOther(row);
      return Optional.empty();
    }
    if (reading.unreadable().contains(row.id().schedule())) {
      postpone(row.id());
      return Optional.empty();
    }
    ReasonCode refusal = reading.refusal(row);
    if (refusal != null) {
      return Optional.of(row.ended(JobState.CANCELLED, now, whyCancelled(row, refusal)));
    }
    if (row.scheduledFor().isAfter(now)) {
      again.put(row.id(), row.scheduledFor());
      return Optional.empty();
    }
    if (row.notBefore() != null && row.notBefore().isAfter(now)) {
      return Optional.empty();
    }
    if (!reading.compiled().containsKey(row.id().schedule())) {
      postpone(row.id());
      return Optional.empty();
    }
    if (reading.isHeld(row)) {
      Job after = holdingBack.held(row);
      return row.isSuspended() ? Optional.empty() : Optional.of(after);
    }
    boolean wasInterrupted = row.state() == JobState.PENDING_LAUNCH;
    return Optional.of(wasInterrupted ? row.launching(now, leaseEnd) : checked(row));
  }

  private Optional<Job> timedOut(Job row) {
    Instant launchedAt = row.launchedAt();
    if (launchedAt == null || launchedAt.plus(Gate.RUN_TIMEOUT).isAfter(now)) {
      return Optional.empty();
    }
    Reason reason = Reason.of(ReasonCode.RUN_END_MISSING, Gate.RUN_TIMEOUT);
    return Optional.of(row.ended(JobState.FAILED, now, reason));
  }

  void leaveToOther(Job row) {
    tellBackfill(row);
    if (row.isBeingLaunched(now) && row.launchingUntil() != null) {
      again.put(row.id(), row.launchingUntil());
    }
  }

  /** A backfill counts what is over, and goes on. */
  private void tellBackfill(Job job) {
    if (job.isEnded()) {
      job.id().backfill().ifPresent(backfill -> again.put(backfill, now));
    }
  }

  /**
   * Another has changed it. Who has only added to what it stands for leaves the rest undone; and so
   * does who has put its next look off while it waits at the gate that is open to it now.
   */
  private void lookAgain(Job before, Job present) {
    boolean hasGrown = !Objects.equals(before.occasion(), present.occasion());
    boolean waitsAsBefore =
        before.waitsAt() != null && Objects.equals(before.waitsAt(), present.waitsAt());
    boolean isLeftUndone =
        present.state() == JobState.PENDING_CONSTRAINT
            && before.state() == JobState.PENDING_CONSTRAINT
            && (hasGrown || waitsAsBefore);
    if (isLeftUndone) {
      again.put(present.id(), now);
    } else {
      leaveToOther(present);
    }
  }

  private void proceed(Job after) {
    tellBackfill(after);
    if (after.state() == JobState.PENDING_LAUNCH) {
      launches.add(new Launch(reading.compiledOf(after), reading.patienceOf(after), after));
    } else {
      nextLook(after)
          .filter(look -> Launcher.isInMessage(look, now))
          .ifPresent(look -> again.put(after.id(), look));
    }
  }

  private Optional<Instant> nextLook(Job after) {
    if (after.waitsAt() != null) {
      return reading.patienceOf(after).endAhead(after.id(), now);
    }
    return Optional.ofNullable(after.notBefore());
  }

  /** The job tries again later, but not after its time-out, if its definition can be read. */
  Job refused(Job job, Reason reason) {
    Compiled known = reading.compiled().get(job.id().schedule());
    return known == null
        ? job.refused(now, reason)
        : job.refused(now, reason, reading.patienceOf(job));
  }

  /** Whether fires have to be counted, or schedules ended. */
  boolean hasRest() {
    return !latestCollected.isEmpty() || !exhausted().isEmpty();
  }

  /**
   * Counts fires, and ends schedules, side by side. No launch has to wait for that.
   *
   * @throws RuntimeException if anything of this look is unknown
   */
  void seeToRest() {
    apart.take(this::collect);
    apart.take(() -> tools.completion().complete(exhausted(), now));
    apart.requireAll();
  }

  private void collect() {
    tools.fanout().forEach(List.copyOf(latestCollected.values()), this::collect);
  }

  private void collect(JobId fire) {
    Head head = reading.heads().get(fire.schedule());
    Compiled known = reading.compiled().get(fire.schedule());
    if (head == null) {
      return;
    }
    boolean collects =
        head.collects() && known != null && !known.schedule().trigger().isPlainTime();
    if (collects && known != null) {
      tools.collector().advance(known, head, fire.at());
    } else {
      tools.collector().discard(head);
    }
  }

  /**
   * As {@link #finish} of a look at a gate, whose message does not find again whom it let through.
   */
  void finishAtGate() {
    tools.sending().promiseLooksAtBackfills(launches);
    finish();
  }

  /** Sends what this look launches, and names the gates at which somebody has to look. */
  void finish() {
    again.putAll(tools.sending().send(launches));
    holdingBack.letGoMeanwhile().forEach(job -> again.put(job, now));
    visit
        .wakes()
        .forEach(
            (gate, wake) -> {
              if (Launcher.isInMessage(wake, now)) {
                again.put(gate, wake);
              }
            });
  }

  /** The schedules that this look found exhausted. */
  List<Exhausted> exhausted() {
    return Completion.among(reading.heads(), reading.compiled(), now);
  }

  private static Reason whyCancelled(Job row, ReasonCode refusal) {
    return row.state() == JobState.PENDING_LAUNCH
        ? Reason.of(refusal, Reason.INTERRUPTED)
        : Reason.of(refusal);
  }
}
