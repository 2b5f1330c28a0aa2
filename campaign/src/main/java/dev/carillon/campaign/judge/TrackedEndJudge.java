package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Arrival;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Judges the attempts of tracked jobs and how the jobs end: each attempt follows a failure of the
 * one before, in time and not too often, and each end has the cause that its state names.
 */
final class TrackedEndJudge {

  private final History history;
  private final Schedule schedule;
  private final Predicate<StoredJob> mayBeCancelledByChange;
  private final List<Finding> findings;

  /**
   * @param mayBeCancelledByChange whether a change of the schedule may have cancelled a job
   */
  TrackedEndJudge(
      History history,
      Schedule schedule,
      Predicate<StoredJob> mayBeCancelledByChange,
      List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.mayBeCancelledByChange = mayBeCancelledByChange;
    this.findings = findings;
  }

  void judge(TrackedJob job) {
    int last = job.attempts();
    if (last > job.tracking().attempts() + job.retries().count()) {
      find(Finding.Kind.DOUBLED, job, last + " attempts, of " + job.tracking().attempts());
    }
    for (int attempt = 1; attempt <= last; attempt++) {
      judgeAttempt(job, attempt);
    }
    judgeCancelled(job);
    StoredJob stored = job.stored();
    if (stored == null) {
      find(Finding.Kind.LOST, job, "was launched, and is not stored");
    } else {
      judgeSuccess(job, stored);
      judgeState(job, stored);
    }
  }

  // ---- attempts

  private void judgeAttempt(TrackedJob job, int attempt) {
    long sent = job.sentAt(attempt);
    if (sent == History.NEVER) {
      // A caller may have cancelled the job before this attempt was sent, and then retried it.
      if (job.cancelledFrom() == History.NEVER || job.retries().findAny().isEmpty()) {
        find(Finding.Kind.LOST, job, "attempt " + attempt + " was never sent");
      }
      return;
    }
    boolean isRetriedManually = job.retries().anyMatch(it -> it.called() <= sent);
    if (attempt > 1 && !isRetriedManually && job.endedFrom(attempt - 1) > sent) {
      find(
          Finding.Kind.DOUBLED, job, "attempt " + attempt + " began before the last one had ended");
    }
    judgeNext(job, attempt);
  }

  /** After an attempt that failed, the next one is sent in time, or the job ends in time. */
  private void judgeNext(TrackedJob job, int attempt) {
    boolean mayBeLast = attempt >= job.tracking().attempts();
    long delay = mayBeLast ? 0 : job.tracking().longestBackoff(attempt);
    long bound = job.followsBy(attempt, delay);
    boolean waits = job.spec().queues() || job.cancelledFrom() != History.NEVER;
    if (bound == History.NEVER || bound > history.end() || waits) {
      return;
    }
    if (!isWanted(job, bound) || hasFollower(job, attempt, bound) || hasEnded(job, bound)) {
      return;
    }
    find(
        Finding.Kind.LATE,
        job,
        "nothing followed attempt " + attempt + " until " + FireJudge.text(bound));
  }

  private static boolean hasFollower(TrackedJob job, int attempt, long bound) {
    return job.launches().stream()
        .map(Launch::arrival)
        .anyMatch(it -> it.attempt() > attempt && it.at() <= bound);
  }

  private boolean hasEnded(TrackedJob job, long bound) {
    StoredJob stored = job.stored();
    return stored != null
        && stored.ended()
        && (stored.changed() <= bound + 2 * history.skew() || job.mayBeRetriedAfter(0));
  }

  /**
   * Whether the schedule certainly launched jobs from the job's first request to an instant. The
   * launch of a request that is sent right after a change may have been decided before the change.
   */
  private boolean isWanted(TrackedJob job, long until) {
    long sent = job.sentAt(1);
    String backfill = job.launches().get(0).backfill();
    boolean mayEnd = !backfill.isEmpty() && mayEnd(backfill);
    return !mayEnd
        && schedule.launching().stream()
            .filter(span -> span.spec().version() == job.spec().version())
            .filter(
                span ->
                    span.beginsBy() != History.NEVER && span.beginsBy() + Judge.IN_FLIGHT < sent)
            .anyMatch(span -> until + Judge.IN_FLIGHT < span.endsFrom());
  }

  /** Whether a caller may have cancelled a backfill, which ends the attempts of its jobs. */
  private boolean mayEnd(String backfill) {
    return !schedule.cancellations(backfill).isEmpty();
  }

  // ---- callers

  /** A cancelled job is not launched again, its worker learns of it, and the job ends CANCELLED. */
  private void judgeCancelled(TrackedJob job) {
    job.calls(Kind.CANCEL)
        .filter(RunCall::isAccepted)
        .filter(call -> !job.mayBeRetriedAfter(call.called()))
        .forEach(call -> judgeCancelled(job, call));
  }

  private void judgeCancelled(TrackedJob job, RunCall cancel) {
    long last =
        job.launches().stream().map(Launch::arrival).mapToLong(Arrival::sent).max().orElse(0);
    if (last > cancel.returned() + Judge.IN_FLIGHT) {
      find(Finding.Kind.AFTER_DELETE, job, "launched after it was cancelled");
    }
    boolean isForgotten =
        job.calls(Kind.HEARTBEAT)
            .anyMatch(
                it -> it.isAccepted() && it.called() > cancel.returned() && !it.isCancelled());
    if (isForgotten) {
      find(Finding.Kind.LOST, job, "a heartbeat does not say that the job is cancelled");
    }
    StoredJob stored = job.stored();
    Set<String> right = Set.of("CANCELLED", "SUCCEEDED");
    if (stored != null && stored.ended() && !right.contains(stored.state())) {
      find(Finding.Kind.LOST, job, "was cancelled by a caller, and is " + stored.state());
    }
  }

  // ---- ends

  private void judgeSuccess(TrackedJob job, StoredJob stored) {
    boolean isSucceeded = stored.state().equals("SUCCEEDED");
    if (!isSucceeded && job.calls(Kind.SUCCEED).anyMatch(RunCall::isAccepted)) {
      find(Finding.Kind.LOST, job, "its success was accepted, and it is " + stored.state());
    }
    if (!isSucceeded && job.claims().stream().anyMatch(ClaimFacts::isSucceededByMessage)) {
      find(Finding.Kind.LOST, job, "its success was sent in time, and it is " + stored.state());
    }
    if (isSucceeded && job.possible(Kind.SUCCEED).findAny().isEmpty()) {
      find(Finding.Kind.UNASKED, job, "SUCCEEDED, but no worker reported that");
    }
  }

  private void judgeState(TrackedJob job, StoredJob stored) {
    switch (stored.state()) {
      case "SUCCEEDED" -> {
        // judgeSuccess judges such a job.
      }
      case "FAILED" -> judgeFailed(job, stored);
      case "CANCELLED" -> {
        if (job.cancelledFrom() == History.NEVER && !mayBeCancelledByChange.test(stored)) {
          find(Finding.Kind.LOST, job, "was cancelled, but no user asked for that");
        }
      }
      default -> {
        if (stored.ended()) {
          find(Finding.Kind.LOST, job, "was sent to a worker, and ended " + stored.state());
        } else {
          judgeUnfinished(job, stored);
        }
      }
    }
  }

  private void judgeFailed(TrackedJob job, StoredJob stored) {
    int last = job.attempts();
    long changed = stored.changed() + 2 * history.skew();
    if (job.endedFrom(last) > changed) {
      find(Finding.Kind.EARLY, job, "FAILED before its attempt had ended");
    }
    boolean isForGood = job.possible(Kind.FAIL).anyMatch(RunCall::isFinal);
    boolean isUsedUp = last >= job.tracking().attempts();
    if (!isForGood && !isUsedUp && isWanted(job, changed)) {
      find(Finding.Kind.LOST, job, "FAILED although attempts were left");
    }
  }

  /**
   * A job that is not held back and waits for no other job must have ended before the end of the
   * episode.
   */
  private void judgeUnfinished(TrackedJob job, StoredJob stored) {
    int last = job.attempts();
    long bound = job.followsBy(last, job.tracking().longestBackoff(last));
    boolean mayWait = job.spec().queues() && !isQuiet(job);
    boolean mayBeHeld = schedule.mayHold(job.sentAt(1), history.end());
    if (bound < history.end() - History.SETTLING && !mayWait && !mayBeHeld) {
      find(Finding.Kind.STUCK, job, "is still " + stored.state());
    }
  }

  /** Whether the program had no attempt for longer than any attempt can last. */
  private boolean isQuiet(TrackedJob job) {
    long since = history.end() - job.tracking().longest() - 2 * History.SETTLING;
    return history.runCalls().stream().allMatch(it -> it.called() < since)
        && history.arrivals().stream()
            .filter(it -> history.isTracked(it.schedule()))
            .allMatch(it -> it.at() < since);
  }

  private void find(Finding.Kind kind, TrackedJob job, String what) {
    findings.add(new Finding(kind, schedule.name(), job.id(), what));
  }
}
