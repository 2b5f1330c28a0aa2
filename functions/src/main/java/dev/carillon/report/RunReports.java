package dev.carillon.report;

import dev.carillon.backfill.Backfill;
import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.decision.CallerDecision;
import dev.carillon.decision.RunDecision;
import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.decision.RunDecision.Result;
import dev.carillon.id.BackfillId;
import dev.carillon.id.JobId;
import dev.carillon.id.RunId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.Report;
import dev.carillon.runtime.Attempt;
import dev.carillon.schedule.Head;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the reports of workers. Before a change is stored, a check message is sent. The check
 * repeats the steps that must follow the change, so nothing is lost if the function crashes after
 * the change.
 */
public final class RunReports {

  /**
   * The time is longer than one invocation, by more than clocks differ. After this time, only the
   * check message can complete the change.
   */
  public static final Duration LONGEST_CALL = Duration.ofSeconds(35);

  /**
   * If the check of the claim's time-out is due within this time, no other check is sent when the
   * job ends. The check of the time-out then repeats the steps that follow the end.
   */
  private static final Duration LONGEST_REPEAT = Duration.ofMinutes(1);

  /**
   * A change is usually stored within this time. If the store takes longer, the check comes too
   * early, and the attention index repeats it.
   */
  private static final Duration STORING_TIME = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(RunReports.class);

  private final Shared shared;
  private final Conclusions conclusions;
  private final RunChanges changes;
  private final PoolWakeups pools;
  private final InstantSource clock;

  public RunReports(Shared shared, InstantSource clock) {
    this.shared = shared;
    this.conclusions = new Conclusions(shared, clock);
    this.changes = new RunChanges(shared, clock);
    this.pools = new PoolWakeups(shared, clock);
    this.clock = clock;
  }

  /**
   * The outcome of a report.
   *
   * @param job the job as it is stored after the report
   */
  public record Reported(Result result, Job job) {}

  /**
   * A worker claims an attempt; see {@link RunDecision#claim}.
   *
   * @return empty if there is no such job
   */
  public Optional<Reported> claim(
      JobId id, String worker, @Nullable Integer attempt, String token) {
    return report(id, (job, now) -> RunDecision.claim(job, worker, attempt, token, now));
  }

  /**
   * A worker reports over HTTP, and the result is its answer. The result is empty if there is no
   * such job.
   */
  public Optional<Reported> report(JobId id, Report report) {
    return report(id, report, null);
  }

  /**
   * A worker reports.
   *
   * @param sentAt when the report queue accepted the report; null for a report over HTTP, whose
   *     worker gets an answer
   * @return empty if there is no such job
   */
  public Optional<Reported> report(JobId id, Report report, @Nullable Instant sentAt) {
    return report(id, (job, now) -> decide(job, report, sentAt, now));
  }

  private Result decide(Job job, Report report, @Nullable Instant sentAt, Instant now) {
    if (report instanceof Report.Heartbeat heartbeat) {
      return RunDecision.heartbeat(job, heartbeat, sentAt, now);
    }
    if (report instanceof Report.Success success) {
      return RunDecision.succeed(job, success, now);
    }
    Report.Failure failure = (Report.Failure) report;
    return RunDecision.fail(job, failure, failure.isRetriable() && isWanted(job), now);
  }

  /**
   * Cancels a job as {@link CallerDecision#cancel} decides. The result is empty if there is no such
   * job.
   */
  public Optional<Reported> cancel(JobId id, String caller) {
    Optional<Reported> cancel = report(id, (job, now) -> CallerDecision.cancel(job, caller, now));
    cancel.ifPresent(this::checkCancelled);
    return cancel;
  }

  /**
   * Retries a job as {@link CallerDecision#retry} decides. The result is empty if there is no such
   * job.
   */
  public Optional<Reported> retry(JobId id, String caller) {
    return report(id, (job, now) -> CallerDecision.retry(job, caller, isWanted(job), now))
        .map(this::keptByBackfill);
  }

  /**
   * The answer to a retry of a job of a backfill. A check of the backfill that read the job before
   * the retry would count it as ended. So the backfill changes as well, and that check reads the
   * job again. If the backfill has counted the job already, a check cancels the job.
   */
  private Reported keptByBackfill(Reported retried) {
    BackfillId id = retried.job().id().backfill().orElse(null);
    if (id == null || !(retried.result() instanceof Accepted)) {
      return retried;
    }
    boolean isKept = shared.updates().run(id, () -> kept(id, retried.job()));
    return isKept ? retried : new Reported(new Refused(Refusal.UNWANTED), retried.job());
  }

  private Attempt<Boolean> kept(BackfillId id, Job job) {
    Backfill backfill = shared.backfills().backfills(List.of(id)).get(id);
    return backfill == null || !backfill.launches(job.id())
        ? Attempt.done(false)
        : Attempt.of(shared.backfills().saveBackfill(backfill, backfill.stored()), true);
  }

  /**
   * Whether the schedule or backfill still wants the job. If it was changed, suspended or deleted,
   * the run ends without a retry.
   */
  private boolean isWanted(Job job) {
    return isWantedBySchedule(job) && job.id().backfill().map(id -> launches(id, job)).orElse(true);
  }

  private boolean launches(BackfillId id, Job job) {
    Backfill backfill = shared.backfills().backfills(List.of(id)).get(id);
    return backfill != null && backfill.launches(job.id());
  }

  private boolean isWantedBySchedule(Job job) {
    Head head = shared.schedules().heads(List.of(job.id().schedule())).get(job.id().schedule());
    return head != null
        && !head.isDeleted()
        && head.asOf(clock.instant()).wantsJob(job.id().generation(), job.activation());
  }

  private Optional<Reported> report(JobId id, BiFunction<Job, Instant, Result> decide) {
    return shared.updates().run(id, () -> attempt(id, decide));
  }

  private Attempt<Optional<Reported>> attempt(JobId id, BiFunction<Job, Instant, Result> decide) {
    Job job = shared.jobs().find(List.of(id)).get(id);
    if (job == null) {
      return Attempt.done(Optional.empty());
    }
    Result result = decide.apply(job, clock.instant());
    if (!(result instanceof Accepted accepted)) {
      return Attempt.done(Optional.of(new Reported(result, job)));
    }
    Job after = accepted.after();
    if (begins(job, after) && !after.isConcluding()) {
      conclusions.started(job);
    }
    repeatLater(job, after);
    boolean isStored = changes.store(job, after).isEmpty();
    if (isStored) {
      pools.left(List.of(job), List.of(after));
      follow(after);
    }
    return Attempt.of(isStored, Optional.of(new Reported(result, after)));
  }

  /** Whether this change accepted the first report of the claim. */
  private static boolean begins(Job before, Job after) {
    return before.state() == JobState.CLAIMED && after.state() != JobState.CLAIMED;
  }

  private void repeatLater(Job before, Job after) {
    Instant stored = clock.instant().plus(LONGEST_CALL);
    Instant reportBy = after.reportBy();
    if (after.isEnded()) {
      if (!isCheckedSoon(before)) {
        send(after.runId(), stored);
      }
    } else if (reportBy != null && !isCheckedBy(reportBy, before)) {
      send(after.runId(), reportBy);
      if (reportBy.isBefore(stored)) {
        send(after.runId(), stored);
      }
    } else if (after.state() == JobState.RETRY_WAIT) {
      // The check is not due at once: a check that comes before the change is stored finds nothing
      // to do.
      Instant soonest = clock.instant().plus(STORING_TIME);
      Instant retryAt = Objects.requireNonNull(after.notBefore());
      if (Wakeup.plan(retryAt, clock.instant()).isInMessage()) {
        send(after.runId(), retryAt.isBefore(soonest) ? soonest : retryAt);
      }
    }
  }

  /**
   * Whether the check message of the claim's time-out comes soon enough to repeat the steps that
   * must follow the end. If that check comes before the end is stored, it sends another check. If
   * the time-out has passed without effect, its message may be lost, so it does not count.
   */
  private boolean isCheckedSoon(Job before) {
    Instant reportBy = before.claim() == null ? null : before.reportBy();
    Instant now = clock.instant();
    return reportBy != null
        && !reportBy.isBefore(now)
        && !reportBy.isAfter(now.plus(LONGEST_REPEAT));
  }

  /**
   * Whether the claim has a check message for this time-out or an earlier one. If a time-out has
   * passed without effect, its message may be lost, so it does not count.
   */
  private boolean isCheckedBy(Instant reportBy, Job before) {
    Instant present = before.claim() == null ? null : before.reportBy();
    return present != null && !reportBy.isBefore(present) && !present.isBefore(clock.instant());
  }

  /**
   * Sends the check of a claimed run's time-out again, in case its message was lost. It does so
   * when a caller first cancels the run, and whenever a caller repeats the request after the
   * time-out.
   */
  private void checkCancelled(Reported cancel) {
    Instant reportBy = cancel.job().claim() == null ? null : cancel.job().reportBy();
    boolean isRequested = cancel.result() instanceof Accepted;
    Instant now = clock.instant();
    if (reportBy != null && (isRequested || reportBy.isBefore(now))) {
      send(cancel.job().runId(), reportBy.isBefore(now) ? now : reportBy);
    }
  }

  private void send(RunId run, Instant due) {
    shared.checks().send(Check.of(due, List.of(run)), clock.instant());
  }

  /**
   * Takes the steps that follow the end of a job. If this fails, the check message repeats the
   * steps.
   */
  private void follow(Job after) {
    try {
      if (after.isConcluding()) {
        conclusions.conclude(after);
      } else if (after.isEnded()) {
        after.id().backfill().ifPresent(conclusions::wake);
      }
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not announce the end of {}; its next check announces it", after.id(), unavailable);
    }
  }
}
