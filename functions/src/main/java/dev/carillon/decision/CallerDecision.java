package dev.carillon.decision;

import dev.carillon.decision.RunDecision.Accepted;
import dev.carillon.decision.RunDecision.Refusal;
import dev.carillon.decision.RunDecision.Refused;
import dev.carillon.decision.RunDecision.Repeated;
import dev.carillon.decision.RunDecision.Result;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.TrackedJob;
import dev.carillon.run.Run;
import java.time.Instant;

/** The effect of a caller's request to cancel or retry a job. */
public final class CallerDecision {

  private CallerDecision() {}

  /**
   * A caller cancels the job.
   *
   * <pre>
   * state                           result
   * ------------------------------  -------------------------------------------------
   * PENDING_CONSTRAINT, READY,      CANCELLED
   * RETRY_WAIT
   * PENDING_LAUNCH                  BUSY
   * ENQUEUED                        CANCELLED if tracked; otherwise SENT_UNTRACKED
   * CLAIMED, RUNNING                the worker is asked to stop; Repeated if it was
   * ended                           Repeated if it is CANCELLED; otherwise ENDED
   * </pre>
   */
  public static Result cancel(Job job, String caller, Instant now) {
    Run run = job.run();
    return switch (job.state()) {
      case PENDING_LAUNCH -> new Refused(Refusal.BUSY);
      case CLAIMED, RUNNING ->
          run != null && run.isCancelRequested()
              ? new Repeated()
              : new Accepted(
                  TrackedJob.cancelRequested(
                      job, now, Reason.of(ReasonCode.CANCEL_REQUESTED, caller)));
      case ENQUEUED ->
          run == null ? new Refused(Refusal.SENT_UNTRACKED) : cancelled(job, caller, now);
      case CANCELLED -> new Repeated();
      default -> job.isEnded() ? new Refused(Refusal.ENDED) : cancelled(job, caller, now);
    };
  }

  private static Result cancelled(Job job, String caller, Instant now) {
    Reason reason = Reason.of(ReasonCode.CANCELLED_BY_HAND, caller);
    return new Accepted(job.ended(JobState.CANCELLED, now, reason));
  }

  /**
   * A caller retries a job that has ended without success: the job gets one more attempt, at once.
   *
   * @param isWanted whether the schedule still wants the job
   */
  public static Result retry(Job job, String caller, boolean isWanted, Instant now) {
    Run run = job.run();
    boolean hasFailed =
        job.state() == JobState.FAILED
            || job.state() == JobState.CANCELLED
            || job.state() == JobState.TIMED_OUT;
    if (run == null || !hasFailed) {
      return new Refused(Refusal.NOT_FAILED);
    }
    if (!isWanted) {
      return new Refused(Refusal.UNWANTED);
    }
    Reason reason = Reason.of(ReasonCode.RETRIED_BY_HAND, caller);
    return job.isConcluding()
        ? new Refused(Refusal.BUSY)
        : new Accepted(job.retried(run, now, now, reason));
  }
}
