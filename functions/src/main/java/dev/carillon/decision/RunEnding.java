package dev.carillon.decision;

import dev.carillon.gate.Gate;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.run.Run;
import dev.carillon.run.Tracking;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends without a report that carries the token of its claim: an event reports the end, or
 * no report of the worker comes in time.
 */
public final class RunEnding {

  private RunEnding() {}

  /**
   * Whether an event that reports the end of a run of the job's program ends this job.
   *
   * <pre>
   * job                                            the event names the job   names none
   * ---------------------------------------------  ------------------------  ------------------
   * tracked, in any state                          no: a token is needed     no
   * ENQUEUED                                       yes                       yes, if the oldest
   * PENDING_LAUNCH, PENDING_CONSTRAINT             yes                       not until it is sent
   * any other                                      no                        no
   * </pre>
   *
   * <p>An event can end a waiting job that it names, because the event proves that a worker
   * received the request. Either a checker stopped after it had sent the request, or SQS accepted
   * the request although it seemed to refuse it.
   */
  public static boolean endsByEvent(Job job, boolean isNamed) {
    if (job.run() != null) {
      return false;
    }
    return switch (job.state()) {
      case ENQUEUED -> true;
      case PENDING_LAUNCH, PENDING_CONSTRAINT -> isNamed;
      default -> false;
    };
  }

  /**
   * The decision if the next report about a launched job has not come in time: an untracked job has
   * failed; a tracked job is attempted again.
   *
   * @param isWanted whether the schedule still wants the job
   */
  static JobDecision withoutReport(Job job, boolean isWanted, Instant now) {
    Run run = job.run();
    Reason reason = whyMissing(job, run);
    if (run != null && run.isCancelRequested()) {
      return new JobDecision.End(JobState.CANCELLED, reason);
    }
    return run != null && isWanted && RunDecision.allowsRetry(job)
        ? new JobDecision.Retry(RunDecision.retryAt(job, now), reason)
        : new JobDecision.End(JobState.FAILED, reason);
  }

  private static Reason whyMissing(Job job, @Nullable Run run) {
    if (run == null) {
      return Reason.of(ReasonCode.RUN_END_MISSING, Gate.RUN_TIMEOUT);
    }
    Tracking tracking = run.policy().tracking();
    if (job.state() == JobState.ENQUEUED) {
      return Reason.of(ReasonCode.CLAIM_MISSING, tracking.enqueueTimeout());
    }
    String worker = Objects.requireNonNull(run.claim()).worker();
    if (job.state() == JobState.CLAIMED) {
      return Reason.of(ReasonCode.START_MISSING, worker, tracking.claimTimeout());
    }
    return Objects.equals(job.reportBy(), run.deadline())
        ? Reason.of(ReasonCode.RUN_TOO_LONG, worker, tracking.runTimeout())
        : Reason.of(ReasonCode.HEARTBEAT_MISSING, worker, tracking.heartbeatTimeout());
  }
}
