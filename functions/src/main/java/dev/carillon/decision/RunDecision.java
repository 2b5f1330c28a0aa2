package dev.carillon.decision;

import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.run.Claim;
import dev.carillon.run.FinalReport;
import dev.carillon.run.OperationState;
import dev.carillon.run.Report;
import dev.carillon.run.RetryPolicy;
import dev.carillon.run.Run;
import dev.carillon.run.RunPolicy;
import dev.carillon.run.Tracking;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a worker's report, or of its absence, on a tracked job. Only the worker with the
 * token of the current claim can change the job.
 */
public final class RunDecision {

  private RunDecision() {}

  /** The result of a report. */
  public sealed interface Result {}

  /** The report is accepted: the job is stored as {@code after}. */
  public record Accepted(Job after) implements Result {}

  /** The report repeats one that was accepted before. */
  public record Repeated() implements Result {}

  /** The report is refused, and changes nothing. */
  public record Refused(Refusal why) implements Result {}

  /** Why a report is refused. */
  public enum Refusal {
    /** The attempt has ended, or another worker has claimed it: the worker deletes the message. */
    SUPERSEDED,
    /** The attempt can be claimed later: the worker leaves the message in its queue. */
    NOT_YET,
    /** The token is not that of the current claim: the worker stops. */
    STALE,
    /** The worker reports an operation that the job does not have. */
    UNKNOWN_OPERATION,
    /** The job is not tracked. */
    NOT_TRACKED,
    /**
     * The request of the job is being sent, or its end is being announced: the caller repeats the
     * call.
     */
    BUSY,
    /** The request was sent to a target that is not tracked. */
    SENT_UNTRACKED,
    /** The job has ended. */
    ENDED,
    /** The job was not launched, has not ended, or has ended with success. */
    NOT_FAILED,
    /** The schedule does not want the job any more. */
    UNWANTED
  }

  /**
   * A worker claims an attempt.
   *
   * <pre>
   * state                    condition, the first that holds             result
   * -----------------------  ------------------------------------------  ---------------------
   * any                      not tracked                                 NOT_TRACKED
   * any                      an earlier attempt than the job's           SUPERSEDED
   * CLAIMED, RUNNING         this worker has the claim                   Repeated
   *                          -                                           SUPERSEDED
   * PENDING_LAUNCH,ENQUEUED  -                                           CLAIMED
   * PENDING_CONSTRAINT,      -                                           NOT_YET
   * READY, RETRY_WAIT
   * ended                    -                                           SUPERSEDED
   * </pre>
   *
   * @param attempt the attempt that the message names; null for the current one
   * @param token the token of the claim, if it is accepted
   */
  public static Result claim(
      Job job, String worker, @Nullable Integer attempt, String token, Instant now) {
    Run run = job.run();
    if (run == null) {
      boolean canBeTracked = !job.isEnded() && job.launchedAt() == null;
      return new Refused(canBeTracked ? Refusal.NOT_YET : Refusal.NOT_TRACKED);
    }
    if (attempt != null && attempt < job.attempt()) {
      return new Refused(Refusal.SUPERSEDED);
    }
    Claim present = run.claim();
    return switch (job.state()) {
      case CLAIMED, RUNNING ->
          present != null && present.worker().equals(worker)
              ? new Repeated()
              : new Refused(Refusal.SUPERSEDED);
      case PENDING_LAUNCH, ENQUEUED -> {
        Claim claim = new Claim(worker, token, now, null);
        yield new Accepted(
            TrackedJob.claimed(job, claim, now, now.plus(tracking(run).claimTimeout())));
      }
      case PENDING_CONSTRAINT, READY, RETRY_WAIT -> new Refused(Refusal.NOT_YET);
      default -> new Refused(Refusal.SUPERSEDED);
    };
  }

  /**
   * A worker pulls a job that its pool has chosen.
   *
   * @param isCounted whether the attempt counts for a limit of its customer
   */
  public static Job pull(Job job, String worker, String token, boolean isCounted, Instant now) {
    Claim claim = new Claim(worker, token, now, null);
    Job counted = isCounted ? TrackedJob.counted(job) : job;
    Tracking tracking = tracking(Objects.requireNonNull(job.run()));
    return TrackedJob.claimed(counted, claim, now, now.plus(tracking.claimTimeout()));
  }

  /**
   * The worker reports that it still works. Its first report starts the run.
   *
   * <p>A heartbeat over HTTP extends the claim from now. A heartbeat from the report queue extends
   * the claim from the instant at which it was sent, because the worker may have crashed while the
   * message waited there. Such a heartbeat never shortens the claim. The queue keeps no order: if a
   * heartbeat was sent before an already accepted one, only its finished operations count.
   *
   * @param sentAt when the report queue accepted the heartbeat; null for a heartbeat over HTTP
   */
  public static Result heartbeat(
      Job job, Report.Heartbeat report, @Nullable Instant sentAt, Instant now) {
    Run run = held(job, report.token());
    if (run == null) {
      return refused(job);
    }
    if (!run.operations().contains(report.operations().keySet())) {
      return new Refused(Refusal.UNKNOWN_OPERATION);
    }
    Claim claim = Objects.requireNonNull(run.claim());
    Instant sent = sentAt == null ? now : earlier(sentAt, now);
    if (sentAt != null && claim.isOvertaken(sent)) {
      return overtaken(job, run, report, now);
    }
    Run reported =
        run.with(claim.started(now).reported(sent))
            .with(report.progress())
            .with(report.operations());
    Instant until = reported.nextReport(sent);
    Instant deadline = Objects.requireNonNull(reported.deadline());
    Instant kept = sentAt == null ? until : earlier(later(until, job.reportBy()), deadline);
    return new Accepted(TrackedJob.goesOn(job, reported, now, kept));
  }

  private static Result overtaken(Job job, Run run, Report.Heartbeat report, Instant now) {
    Map<String, OperationState> done = run.operations().doneBy(report.operations());
    return done.isEmpty()
        ? new Repeated()
        : new Accepted(
            TrackedJob.goesOn(job, run.with(done), now, Objects.requireNonNull(job.reportBy())));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, @Nullable Instant other) {
    return other == null || one.isAfter(other) ? one : other;
  }

  /** The worker reports success. */
  public static Result succeed(Job job, Report.Success report, Instant now) {
    FinalReport end = new FinalReport(report.token(), true);
    Run run = held(job, report.token());
    if (run == null) {
      return repeatedOrRefused(job, end);
    }
    Reason reason = Reason.of(ReasonCode.SUCCESS_REPORTED, worker(run));
    Run ended = started(run, now).succeeded(end, report.output());
    return new Accepted(job.ended(JobState.SUCCEEDED, ended, now, reason));
  }

  /**
   * The worker reports a failure.
   *
   * @param isWanted whether the schedule still wants the job
   */
  public static Result fail(Job job, Report.Failure report, boolean isWanted, Instant now) {
    FinalReport end = new FinalReport(report.token(), false);
    Run run = held(job, report.token());
    if (run == null) {
      return repeatedOrRefused(job, end);
    }
    Run failed = started(run, now).failed(end, report.error());
    String shown = report.error() == null ? "no error was given" : report.error();
    Reason reason = Reason.of(ReasonCode.FAILURE_REPORTED, worker(run), shown);
    if (run.isCancelRequested()) {
      return new Accepted(job.ended(JobState.CANCELLED, failed, now, reason));
    }
    return new Accepted(
        report.isRetriable() && isWanted && allowsRetry(job)
            ? job.retried(failed, retryAt(job, now), now, reason)
            : job.ended(JobState.FAILED, failed, now, reason));
  }

  /** The run, if the token belongs to the claim of the current attempt; otherwise null. */
  private static @Nullable Run held(Job job, String token) {
    Run run = job.run();
    boolean isClaimed = job.state() == JobState.CLAIMED || job.state() == JobState.RUNNING;
    return run != null && isClaimed && run.isHeldBy(token) ? run : null;
  }

  private static Result repeatedOrRefused(Job job, FinalReport report) {
    boolean isRepeated = job.run() != null && report.equals(job.run().last());
    return isRepeated ? new Repeated() : refused(job);
  }

  private static Result refused(Job job) {
    return new Refused(job.run() == null ? Refusal.NOT_TRACKED : Refusal.STALE);
  }

  private static Run started(Run run, Instant now) {
    return run.with(Objects.requireNonNull(run.claim()).started(now));
  }

  static boolean allowsRetry(Job job) {
    return policy(job).retry().allowsAfter(job.attempt());
  }

  static Instant retryAt(Job job, Instant now) {
    return now.plus(retryDelay(policy(job).retry(), job.id(), job.attempt()));
  }

  /**
   * The delay after a failed attempt. The jitter follows from the job and the attempt, so a
   * repeated decision gives the same delay.
   */
  public static Duration retryDelay(RetryPolicy policy, JobId job, int attempt) {
    return policy.delayAfter(
        attempt, new SplittableRandom(31L * job.hashCode() + attempt).nextDouble());
  }

  private static RunPolicy policy(Job job) {
    return Objects.requireNonNull(job.run()).policy();
  }

  private static Tracking tracking(Run run) {
    return run.policy().tracking();
  }

  private static String worker(Run run) {
    return Objects.requireNonNull(run.claim()).worker();
  }
}
