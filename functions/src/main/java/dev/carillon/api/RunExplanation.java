package dev.carillon.api;

import dev.carillon.decision.JobDecision;
import dev.carillon.decision.JobDecision.End;
import dev.carillon.decision.JobDecision.Retry;
import dev.carillon.decision.JobSnapshot;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.Claim;
import dev.carillon.run.Run;
import java.util.Objects;

/** Explains a launched job in a sentence: which report is expected, and what follows without it. */
final class RunExplanation {

  private RunExplanation() {}

  static String of(Job job, JobSnapshot given) {
    return awaited(job, given) + (job.isUnclaimedAgain() ? unclaimed(job.attempt() - 1) : "");
  }

  /** Where an operator finds a request that no worker claimed. */
  static String unclaimed(int attempt) {
    return "; the request of attempt %d is still in its target queue if no worker receives from it, or in the dead-letter queue of its target if workers received it too often"
        .formatted(attempt);
  }

  private static String awaited(Job job, JobSnapshot given) {
    if (job.state() == JobState.RETRY_WAIT) {
      return "its last attempt failed: %s; attempt %d begins at %s"
          .formatted(job.lastReason(), job.attempt(), ScheduleView.text(job.notBefore()));
    }
    Run run = job.run();
    if (run == null) {
      return "its request was accepted at %s; it holds its slots until its end is reported"
          .formatted(ScheduleView.text(job.launchedAt()));
    }
    String awaited =
        switch (job.state()) {
          case ENQUEUED ->
              "its request was accepted at %s; if no worker claims it by %s"
                  .formatted(
                      ScheduleView.text(job.launchedAt()), ScheduleView.text(job.reportBy()));
          case CLAIMED ->
              "worker %s has claimed it; if no report comes by %s"
                  .formatted(worker(run), ScheduleView.text(job.reportBy()));
          default -> running(run) + "; if no report comes by " + ScheduleView.text(job.reportBy());
        };
    return awaited + ", " + otherwise(job, given);
  }

  private static String running(Run run) {
    Claim claim = Objects.requireNonNull(run.claim());
    String last =
        claim.reportedAt() == null
            ? ""
            : ", its last report came at " + ScheduleView.text(claim.reportedAt());
    String stopping = run.isCancelRequested() ? " and is asked to stop" : "";
    return "worker %s has run it since %s%s%s"
        .formatted(claim.worker(), ScheduleView.text(claim.startedAt()), last, stopping);
  }

  private static String worker(Run run) {
    return Objects.requireNonNull(run.claim()).worker();
  }

  /** What the checker would decide at the deadline if no report came before it. */
  private static String otherwise(Job job, JobSnapshot given) {
    JobDecision decision = JobDecision.decide(job, given, Objects.requireNonNull(job.reportBy()));
    if (decision instanceof Retry) {
      return "the attempt has failed, and attempt %d of %d follows"
          .formatted(
              job.attempt() + 1, Objects.requireNonNull(job.run()).policy().retry().maxAttempts());
    }
    return decision instanceof End end && end.state() == JobState.CANCELLED
        ? "the job ends CANCELLED"
        : "the job has failed, as no attempt follows";
  }
}
