package dev.carillon.checker;

import dev.carillon.backfill.Backfill;
import dev.carillon.backfill.Backfill.State;
import dev.carillon.check.Shared;
import dev.carillon.decision.JobDecision;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.NewJob;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.time.Fires;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a backfill: counts its jobs that have ended, takes further fires in one conditional
 * write, and only then launches their jobs. A job that no checker came to launch has no row; the
 * next pass finds it by that, as the backfill names it.
 */
final class BackfillPass {

  /** From so many jobs on another message goes on: those that came with this one wait. */
  private static final int MOST_AT_ONCE = 20;

  private final CheckServices services;
  private final Shared shared;
  private final BackfillId id;
  private final Function<List<JobId>, Map<Subject, Instant>> checks;
  private final Map<Subject, Instant> followUps = new LinkedHashMap<>();

  /**
   * @param checks checks jobs, and answers with follow-ups
   */
  BackfillPass(
      CheckServices services, BackfillId id, Function<List<JobId>, Map<Subject, Instant>> checks) {
    this.services = services;
    this.shared = services.shared();
    this.id = id;
    this.checks = checks;
  }

  /** What is stored, and then the jobs to be checked. */
  private record Step(Backfill after, List<JobId> ready) {}

  /**
   * Goes on until jobs of it are under way, or enough was done at once.
   *
   * @return the wake-ups to send before the message is acknowledged
   */
  Map<Subject, Instant> proceed(Deadline deadline) {
    int begun = 0;
    while (true) {
      Step step = shared.updates().run(id, this::attempt).orElse(null);
      if (step == null) {
        return followUps;
      }
      if (step.after().isOver()) {
        completeSchedule();
      }
      begun += step.ready().size();
      followUps.putAll(step.ready().isEmpty() ? Map.of() : checks.apply(step.ready()));
      if (begun >= MOST_AT_ONCE || deadline.hasPassed() || !isNeededNow()) {
        return followUps;
      }
      followUps.remove(id);
    }
  }

  /** Empty if the backfill is gone. */
  private Attempt<Optional<Step>> attempt() {
    Backfill stored = shared.backfills().backfills(List.of(id)).get(id);
    if (stored == null) {
      return Attempt.done(Optional.empty());
    }
    if (stored.isOver()) {
      return Attempt.done(Optional.of(new Step(stored, List.of())));
    }
    Step step = step(stored);
    boolean isStored =
        step.after().equals(stored)
            || shared.backfills().saveBackfill(stored, step.after().stored());
    return Attempt.of(isStored, Optional.of(step));
  }

  /** It may have been all that kept an exhausted schedule from being deleted. */
  private void completeSchedule() {
    Instant now = services.clock().instant();
    Map<ScheduleId, Head> heads =
        CheckSnapshot.asOf(now, shared.schedules().heads(List.of(id.schedule())));
    services
        .completion()
        .complete(Completion.among(heads, shared.definitions().of(heads.values()), now), now);
  }

  private boolean isNeededNow() {
    Instant next = followUps.get(id);
    return next != null && !next.isAfter(services.clock().instant());
  }

  private Step step(Backfill stored) {
    Instant now = services.clock().instant();
    Map<JobId, Job> found = new LinkedHashMap<>(shared.jobs().find(stored.openJobs()));
    // After the jobs: the change of the schedule that has cancelled one of them is seen.
    Head head = shared.schedules().heads(List.of(id.schedule())).get(id.schedule());
    ReasonCode refusal = refusal(stored, head);
    if (refusal != null) {
      cancelWithoutRow(stored, found, now, refusal);
    }
    Backfill counted = stored.counted(found.values());
    Backfill taken =
        refusal == null ? filled(counted, head, now) : counted.cancelled(Reason.of(refusal).text());
    List<JobId> ready =
        taken.openJobs().stream().filter(job -> isReady(found.get(job), taken)).toList();
    return new Step(taken.attended(!ready.isEmpty(), now), ready);
  }

  /** Why it launches nothing any more; null if it does. */
  private static @Nullable ReasonCode refusal(Backfill backfill, @Nullable Head head) {
    if (backfill.state() != State.RUNNING) {
      return ReasonCode.BACKFILL_CANCELLED;
    }
    Backfill.Order order = backfill.order();
    boolean isWanted = head != null && head.wantsJob(order.generation(), order.activation());
    return isWanted ? null : ReasonCode.BACKFILL_OUTDATED;
  }

  /** Their ids are taken, so that a checker that is late finds that they have ended. */
  private void cancelWithoutRow(
      Backfill backfill, Map<JobId, Job> found, Instant now, ReasonCode refusal) {
    Backfill.Order order = backfill.order();
    List<Job> withoutRow = new ArrayList<>();
    for (JobId job : backfill.openJobs()) {
      if (!found.containsKey(job)) {
        withoutRow.add(
            NewJob.endedBeforeLaunch(
                job,
                order.activation(),
                order.program(),
                JobState.CANCELLED,
                null,
                now,
                Reason.of(refusal)));
      }
    }
    List<Optional<Job>> present =
        withoutRow.isEmpty() ? List.of() : shared.jobs().insert(withoutRow);
    for (int i = 0; i < withoutRow.size(); i++) {
      Job job = present.get(i).orElse(withoutRow.get(i));
      found.put(job.id(), job);
    }
  }

  private Backfill filled(Backfill backfill, @Nullable Head head, Instant now) {
    Compiled compiled =
        head == null ? null : shared.definitions().of(List.of(head)).get(id.schedule());
    if (compiled == null) {
      followUps.put(id, now.plus(JobDecision.UNREADABLE_PAUSE));
      return backfill;
    }
    List<FireTimes> times = compiled.fireTimes();
    return backfill.filled(fire -> Fires.next(times, fire).map(Fire::at));
  }

  /** One that waits has a message or needs attention by itself, unless it is to be cancelled. */
  private static boolean isReady(@Nullable Job job, Backfill backfill) {
    return job == null
        || job.state() == JobState.PENDING_LAUNCH
        || (job.state() == JobState.PENDING_CONSTRAINT && backfill.state() != State.RUNNING);
  }
}
