package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.BackfillId;
import dev.carillon.checker.Launcher.Launch;
import dev.carillon.checker.Launcher.Tools;
import dev.carillon.constraint.Verdict;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.gate.Gate;
import dev.carillon.gate.GateKey;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.gate.Waiter;
import dev.carillon.job.Job;
import dev.carillon.job.JobId;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs.Held;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.Patience;
import dev.carillon.job.Subject;
import dev.carillon.launch.Requests;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleId;
import dev.carillon.schedule.Schedules.Launching;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One look at some jobs: what is decided about them, and stored. */
final class Look {

  /**
   * So long after its schedule was changed nobody launches a fire any more of what was before: what
   * a call of the API may take, and a launcher that had read the head, and what clocks may differ.
   */
  private static final Duration CHANGE_SETTLES = Duration.ofSeconds(45);

  private static final Duration UNREADABLE_DEFINITION_PAUSE = Duration.ofMinutes(1);

  private final Tools tools;
  private final Instant now;
  private final Instant leaseEnd;
  private final Collection<JobId> ids;
  private final Map<ScheduleId, Head> heads;
  private final Map<String, GatedPrograms> gated;
  private final Map<ScheduleId, Compiled> compiled;
  private final Map<BackfillId, Backfill> backfills;
  private final Gatekeeper.Visit visit;
  private final List<JobId> fires = new ArrayList<>();
  private final List<JobId> withRow = new ArrayList<>();
  private final List<Job> rows = new ArrayList<>();
  private final Map<ScheduleId, JobId> latestCollected = new LinkedHashMap<>();
  private final List<Launch> launches = new ArrayList<>();
  private final List<Held> newlyHeld = new ArrayList<>();
  private final List<Held> held = new ArrayList<>();
  private final Map<Subject, Instant> again = new LinkedHashMap<>();

  Look(Tools tools, Collection<JobId> ids) {
    this.tools = tools;
    this.now = tools.clock().instant();
    this.leaseEnd = now.plus(Launcher.LEASE);
    this.ids = ids;
    Set<ScheduleId> concerned = ids.stream().map(JobId::schedule).collect(Collectors.toSet());
    Launching read = tools.schedules().forLaunch(concerned);
    this.heads = asOf(now, read.heads());
    this.gated = read.gated();
    this.compiled = tools.definitions().of(heads.values());
    this.backfills = backfills(tools, ids);
    this.visit = tools.gatekeeper().visit(now);
  }

  private static Map<ScheduleId, Head> asOf(Instant now, Map<ScheduleId, Head> stored) {
    return stored.values().stream()
        .map(head -> head.asOf(now))
        .collect(Collectors.toMap(Head::id, head -> head));
  }

  /** Read as late as the heads, and for the same reason: none may have been cancelled. */
  private static Map<BackfillId, Backfill> backfills(Tools tools, Collection<JobId> ids) {
    Set<BackfillId> concerned =
        ids.stream().flatMap(id -> id.backfill().stream()).collect(Collectors.toSet());
    return concerned.isEmpty() ? Map.of() : tools.jobs().backfills(concerned);
  }

  Instant now() {
    return now;
  }

  Gatekeeper.Visit visit() {
    return visit;
  }

  /** What somebody has to look at again for this look to count as done, and when. */
  Map<Subject, Instant> again() {
    return again;
  }

  GatedPrograms programs(String namespace) {
    return gated.getOrDefault(namespace, new GatedPrograms(namespace, List.of()));
  }

  /** With what the job's own schedule asks for, which may have been stored a moment ago. */
  private GatedPrograms programs(Job job) {
    return programs(job.id().schedule().namespace()).with(compiledOf(job).schedule().asks());
  }

  /** Whether it names a plain fire, also a backfill's, whose job may be inserted now. */
  boolean isWantedFire(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return known != null
        && wantsFire(id, known)
        && known.schedule().trigger().isPlainTime()
        && !isExcluded(id);
  }

  /** A backfill has decided on its fire when it took it. */
  private boolean wantsFire(JobId id, @Nullable Compiled known) {
    Head head = heads.get(id.schedule());
    if (head == null) {
      return false;
    }
    return id.isFire()
        ? isWanted(id, head, known)
        : backfillOf(id)
            .filter(backfill -> backfill.launches(id))
            .filter(backfill -> wantsJobs(head, backfill))
            .isPresent();
  }

  private Optional<Backfill> backfillOf(JobId id) {
    return id.backfill().flatMap(backfill -> Optional.ofNullable(backfills.get(backfill)));
  }

  private static boolean wantsJobs(Head head, Backfill backfill) {
    return head.wantsJob(backfill.order().generation(), backfill.order().activation());
  }

  private static boolean isWanted(JobId fire, Head head, @Nullable Compiled known) {
    boolean isAdmitted = known != null && known.schedule().admitsFires();
    return head.wantsFire(fire.generation(), fire.at())
        || (isAdmitted && head.keepsFire(fire.generation(), fire.at()));
  }

  void sortOut() {
    for (JobId id : ids) {
      Compiled known = compiled.get(id.schedule());
      if (id.isLook()) {
        latestCollected.merge(id.schedule(), id, Look::later);
      } else if (!wantsFire(id, known)) {
        withRow.add(id);
      } else if (known == null) {
        again.put(id, now.plus(UNREADABLE_DEFINITION_PAUSE));
      } else if (known.schedule().trigger().isPlainTime()) {
        fires.add(id);
        if (isExcluded(id)) {
          withRow.add(id);
        }
      } else {
        latestCollected.merge(id.schedule(), id, Look::later);
      }
    }
  }

  private static JobId later(JobId one, JobId other) {
    return one.at().isAfter(other.at()) ? one : other;
  }

  void insertFires() {
    List<Job> inserts = new ArrayList<>();
    Map<ScheduleId, List<JobId>> admitted = new LinkedHashMap<>();
    for (JobId id : fires.stream().filter(fire -> !isExcluded(fire)).toList()) {
      if (isAdmitted(id)) {
        admitted.computeIfAbsent(id.schedule(), any -> new ArrayList<>()).add(id);
        continue;
      }
      Job due = dueFire(id);
      Job after = isHeld(due) ? held(due) : checked(due);
      if (after.state() == JobState.PENDING_LAUNCH && isGated(due)) {
        pass(null, due);
      } else {
        inserts.add(after);
      }
    }
    rememberHeld();
    List<Optional<Job>> present = tools.jobs().insert(inserts);
    for (int i = 0; i < inserts.size(); i++) {
      Job inserted = inserts.get(i);
      present.get(i).ifPresentOrElse(rows::add, () -> proceed(inserted));
    }
    admitted.forEach(this::admit);
  }

  /** Whether it has to be told first whether another job of its schedule waits. */
  private boolean isAdmitted(JobId fire) {
    Compiled known = compiled.get(fire.schedule());
    return fire.isFire() && known != null && known.schedule().admitsFires();
  }

  private void admit(ScheduleId schedule, List<JobId> due) {
    Head head = heads.get(schedule);
    Compiled known = compiled.get(schedule);
    if (head != null && known != null) {
      rows.addAll(tools.collector().admit(known, head, due));
    }
  }

  /**
   * By the calendars as they are after it is due, so it was not for whoever looks first. But they
   * know no more than their last change: a job that the fire has already goes on.
   */
  private boolean isExcluded(JobId id) {
    Compiled known = compiled.get(id.schedule());
    return id.isFire() && known != null && known.isExcluded(id.at());
  }

  Job dueFire(JobId id) {
    Head head = heads.get(id.schedule());
    Compiled known = compiled.get(id.schedule());
    if (head == null || known == null) {
      throw new IllegalStateException("sorted out wrongly: " + id);
    }
    long activation =
        backfillOf(id).map(backfill -> backfill.order().activation()).orElse(head.activation());
    return Job.dueFire(id, activation, known.schedule().program());
  }

  private boolean isGated(Job job) {
    boolean asks =
        !job.ignoresConstraints() && !compiledOf(job).schedule().asks().limits().isEmpty();
    return asks || !programs(job).gatesOf(job.program()).isEmpty();
  }

  /** What becomes of a job that is due, after what the clock decides. */
  private Job checked(Job job) {
    Compiled known = compiledOf(job);
    Patience patience = patienceOf(job);
    Verdict verdict = patience.byClock(job, now);
    if (verdict instanceof Verdict.NotYet wait && wait.lookAt() != null) {
      Instant opening = wait.lookAt();
      boolean isInMessage = Launcher.isInMessage(opening, now);
      Instant attention = isInMessage ? opening.plus(Job.ATTENTION_SLACK) : opening;
      return Requests.resolved(known, job).waitingUntil(opening, attention, now, wait.reason());
    }
    if (verdict instanceof Verdict.Never never) {
      return job.ended(JobState.SKIPPED, now, never.reason());
    }
    if (verdict instanceof Verdict.TooLate late) {
      return job.ended(JobState.TIMED_OUT, now, late.reason());
    }
    return patience.launching(job, now, leaseEnd);
  }

  void updateRows() {
    Map<JobId, Job> found = tools.jobs().find(withRow);
    rows.addAll(found.values());
    withRow.stream().filter(id -> !found.containsKey(id)).forEach(this::awaitStragglers);
    List<Update> decided = new ArrayList<>();
    for (Job row : rows) {
      tellBackfill(row);
      decide(row).ifPresent(after -> decided.add(new Update(row, after)));
    }
    rememberHeld();
    List<Update> updates = new ArrayList<>();
    decided.forEach(one -> store(one.before(), one.after(), updates));
    List<Optional<Job>> others = tools.jobs().update(updates);
    for (int i = 0; i < updates.size(); i++) {
      Job after = updates.get(i).after();
      Job before = updates.get(i).before();
      others.get(i).ifPresentOrElse(other -> lookAgain(before, other), () -> proceed(after));
    }
  }

  /** What concerns no gate is stored together. */
  private void store(Job row, Job after, List<Update> updates) {
    boolean launches = after.state() == JobState.PENDING_LAUNCH;
    boolean wasLaunching = row.state() == JobState.PENDING_LAUNCH;
    if (row.waitsAt() != null && launches) {
      awaitTurn(row, row.waitsAt(), updates);
    } else if (launches && !wasLaunching && isGated(row)) {
      pass(row, row);
    } else if (!launches && row.hasStakeInGates()) {
      leave(row, after).ifPresentOrElse(other -> lookAgain(row, other), () -> proceed(after));
    } else {
      updates.add(new Update(row, after));
    }
  }

  /** Who waits at a gate goes through it in its turn, unless its time is over. */
  private void awaitTurn(Job row, GateKey gate, List<Update> updates) {
    Patience patience = patienceOf(row);
    boolean isOver = patience.discards(row.id(), now);
    if (patience.launches(row.id(), now) && !pass(row, row)) {
      return;
    }
    NotYet closed = isOver ? visit.closed(row, patience, programs(row)).orElse(null) : null;
    if (closed != null) {
      Job late = row.ended(JobState.TIMED_OUT, now, patience.tooLateFor(closed.reason()).reason());
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
    Map<JobId, Job> found = tools.jobs().find(waiters.stream().map(Waiter::job).toList());
    for (Waiter waiter : waiters) {
      Job row = found.get(waiter.job());
      if (row == null || !waiter.gate().equals(row.waitsAt())) {
        visit.clear(waiter);
      } else if (!unfit.contains(row.id().schedule())) {
        serve(row, unfit);
      }
    }
  }

  private void serve(Job row, Set<ScheduleId> unfit) {
    if (row.id().isFire() && isWantedFire(row.id())) {
      fires.add(row.id());
    }
    Job after = decide(row).orElse(null);
    rememberHeld();
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
        visit.pass(before, due, compiledOf(due), patienceOf(due), programs(due), leaseEnd);
    if (result instanceof Gatekeeper.Stored stored) {
      proceed(stored.job());
    } else if (result instanceof Gatekeeper.Lost lost && before == null) {
      rows.add(lost.present());
    } else if (result instanceof Gatekeeper.Lost lost && before != null) {
      lookAgain(before, lost.present());
    }
    return result instanceof Gatekeeper.Unfit;
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
    backfillOf(id)
        .filter(backfill -> backfill.names(id))
        .ifPresent(backfill -> again.put(backfill.id(), now));
    Head head = heads.get(id.schedule());
    if (id.isFire() && head != null && head.changedAt().plus(CHANGE_SETTLES).isAfter(now)) {
      again.put(id, head.changedAt().plus(CHANGE_SETTLES));
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
    String refusal = refusal(row);
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
    if (!compiled.containsKey(row.id().schedule())) {
      again.put(row.id(), now.plus(UNREADABLE_DEFINITION_PAUSE));
      return Optional.empty();
    }
    if (isHeld(row)) {
      Job after = held(row);
      return row.isSuspended() ? Optional.empty() : Optional.of(after);
    }
    boolean wasInterrupted = row.state() == JobState.PENDING_LAUNCH;
    return Optional.of(wasInterrupted ? row.launching(now, leaseEnd) : checked(row));
  }

  /** Who launches by hand or fills what is suspended means it; what waited before waits on. */
  private boolean isHeld(Job job) {
    Head head = heads.get(job.id().schedule());
    boolean isAsked = job.launchNow() != null || job.id().isOfBackfill();
    boolean isMeant = isAsked && head != null && job.activation() == head.activation();
    return head != null && head.holdsJobs() && !isMeant;
  }

  private Job held(Job job) {
    Head head = Objects.requireNonNull(heads.get(job.id().schedule()));
    Suspension suspension = Objects.requireNonNull(head.suspension());
    newlyHeld.add(new Held(job.id(), head.activation()));
    return Requests.resolved(compiledOf(job), job)
        .suspended(now, "its schedule is " + suspension.told());
  }

  /** Before they are stored as such, so that none is missed when they are let go. */
  private void rememberHeld() {
    if (!newlyHeld.isEmpty()) {
      tools.jobs().holdBack(List.copyOf(newlyHeld));
      held.addAll(newlyHeld);
      newlyHeld.clear();
    }
  }

  /**
   * Whoever ends a suspension lets go what is held back by then: what was stored meanwhile is
   * looked at again.
   */
  private void checkHeld() {
    if (held.isEmpty()) {
      return;
    }
    Set<ScheduleId> schedules =
        held.stream().map(one -> one.job().schedule()).collect(Collectors.toSet());
    Map<ScheduleId, Head> after = asOf(now, tools.schedules().heads(schedules));
    for (Held one : held) {
      Head head = after.get(one.job().schedule());
      if (head == null || head.activation() != one.activation()) {
        again.put(one.job(), now);
      }
    }
  }

  private Optional<Job> timedOut(Job row) {
    Instant launchedAt = row.launchedAt();
    if (launchedAt == null || launchedAt.plus(Gate.RUN_TIMEOUT).isAfter(now)) {
      return Optional.empty();
    }
    String reason = "no end was reported within " + Gate.RUN_TIMEOUT + " after its launch";
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

  /** Another has changed it; who has only added to what it stands for leaves the rest undone. */
  private void lookAgain(Job before, Job present) {
    boolean hasOnlyGrown =
        present.state() == JobState.PENDING_CONSTRAINT
            && before.state() == JobState.PENDING_CONSTRAINT
            && !Objects.equals(before.occasion(), present.occasion());
    if (hasOnlyGrown) {
      again.put(present.id(), now);
    } else {
      leaveToOther(present);
    }
  }

  private void proceed(Job after) {
    tellBackfill(after);
    if (after.state() == JobState.PENDING_LAUNCH) {
      launches.add(new Launch(compiledOf(after), patienceOf(after), after));
    } else {
      nextLook(after)
          .filter(look -> Launcher.isInMessage(look, now))
          .ifPresent(look -> again.put(after.id(), look));
    }
  }

  private Optional<Instant> nextLook(Job after) {
    if (after.waitsAt() != null) {
      return patienceOf(after).endAhead(after.id(), now);
    }
    return Optional.ofNullable(after.notBefore());
  }

  /** The job tries again later, but not after its time-out, if its definition can be read. */
  Job refused(Job job, String reason) {
    Compiled known = compiled.get(job.id().schedule());
    return known == null ? job.refused(now, reason) : job.refused(now, reason, patienceOf(job));
  }

  private Compiled compiledOf(Job job) {
    Compiled known = compiled.get(job.id().schedule());
    if (known == null) {
      throw new IllegalStateException("no definition for " + job.id());
    }
    return known;
  }

  private Patience patienceOf(Job job) {
    Schedule schedule = compiledOf(job).schedule();
    return new Patience(schedule, Objects.requireNonNull(heads.get(job.id().schedule())));
  }

  void collect() {
    latestCollected.forEach(
        (id, fire) -> {
          Head head = heads.get(id);
          Compiled known = compiled.get(id);
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
        });
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
    List<JobId> own = fires.stream().filter(JobId::isFire).toList();
    tools.completion().completeExhausted(compiled, heads, own, now);
    checkHeld();
    visit
        .wakes()
        .forEach(
            (gate, wake) -> {
              if (Launcher.isInMessage(wake, now)) {
                again.put(gate, wake);
              }
            });
  }

  /** Why nobody wants the job any more; null if somebody does. */
  private @Nullable String refusal(Job row) {
    JobId id = row.id();
    Head head = heads.get(id.schedule());
    if (head == null || head.isDeleted()) {
      return "the schedule was deleted";
    }
    if (!head.wantsJob(id.generation(), row.activation())) {
      return head.generation() == id.generation()
          ? "the schedule was suspended"
          : "the schedule was changed";
    }
    boolean isWanted =
        !id.isOfBackfill() || backfillOf(id).filter(it -> it.launches(id)).isPresent();
    return isWanted ? null : "its backfill was cancelled";
  }

  private static String whyCancelled(Job row, String refusal) {
    return row.state() == JobState.PENDING_LAUNCH
        ? refusal + " after its launch was interrupted; the request may have been sent"
        : refusal;
  }
}
