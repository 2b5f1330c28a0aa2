package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges the claims and reports of the attempts of tracked jobs by the answers that workers got:
 * two claims of one job never live at the same time, a token has no effect once its claim has
 * ended, and no claim or report is refused without a cause.
 */
final class AttemptJudge {

  private static final String NOT_YET = "not-yet";
  private static final String SUPERSEDED = "superseded";
  private static final String STALE = "stale-claim";

  private final Schedule schedule;
  private final List<Finding> findings;

  AttemptJudge(Schedule schedule, List<Finding> findings) {
    this.schedule = schedule;
    this.findings = findings;
  }

  void judge(TrackedJob job) {
    List<ClaimFacts> claims = job.claims();
    for (int i = 0; i < claims.size(); i++) {
      judgeWorkers(job, claims.get(i));
      judgeAlive(job, claims.get(i));
      for (ClaimFacts other : claims.subList(i + 1, claims.size())) {
        judgeBoth(job, claims.get(i), other);
      }
    }
    job.calls(Kind.CLAIM).forEach(call -> judgeClaim(job, call));
    Map<String, ClaimFacts> byToken = new HashMap<>();
    claims.forEach(claim -> byToken.put(claim.token(), claim));
    job.calls().stream()
        .filter(call -> call.isReport() && call.isAccepted())
        .forEach(call -> judgeAccepted(job, call, byToken.get(call.token())));
  }

  // ---- claims

  /** Each token belongs to one worker and one attempt. */
  private void judgeWorkers(TrackedJob job, ClaimFacts claim) {
    long workers = claim.claims().stream().map(RunCall::worker).distinct().count();
    if (workers > 1) {
      find(Finding.Kind.DOUBLED, job, workers + " workers have one claim");
    }
  }

  /**
   * Finds two claims that certainly lived at the same time: whichever of them was stored first, it
   * still lived when the other was stored.
   */
  private void judgeBoth(TrackedJob job, ClaimFacts one, ClaimFacts other) {
    boolean mayPrecede = one.from() <= other.by();
    boolean mayFollow = other.from() <= one.by();
    boolean clashes = (!mayPrecede || livesAt(one, other)) && (!mayFollow || livesAt(other, one));
    if (clashes) {
      find(
          Finding.Kind.DOUBLED,
          job,
          "two claims at once, of attempts " + one.attempt() + " and " + other.attempt());
    }
  }

  private static boolean livesAt(ClaimFacts first, ClaimFacts second) {
    return second.by() < Math.min(first.livesUntil(), first.endedFrom());
  }

  private void judgeClaim(TrackedJob job, RunCall call) {
    if (call.isAccepted() || call.status() == 0) {
      return;
    }
    boolean isExplained =
        switch (call.problem()) {
          case NOT_YET ->
              job.launches(call.attempt()).anyMatch(launch -> launch.arrival().explained());
          case SUPERSEDED -> mayBeSuperseded(job, call);
          default -> false;
        };
    if (!isExplained) {
      find(
          Finding.Kind.LOST,
          job,
          "the claim of attempt " + call.attempt() + " was refused as " + call.problem());
    }
  }

  /** Whether another worker may have the attempt, or the attempt may have ended. */
  private static boolean mayBeSuperseded(TrackedJob job, RunCall refused) {
    long at = refused.returned();
    return job.endedFrom(refused.attempt()) <= at
        || mayBeUnknown(job, refused.attempt())
        || job.cancelledFrom() <= at
        || job.launches().stream()
            .map(Launch::arrival)
            .anyMatch(it -> it.attempt() > refused.attempt() && it.sent() <= at)
        || job.disturbed(Kind.CLAIM)
            .filter(it -> it.attempt() >= refused.attempt())
            .anyMatch(it -> !it.worker().equals(refused.worker()) && it.called() <= at)
        || job.retries().anyMatch(it -> it.called() <= at);
  }

  /** Whether the job was cancelled while no function could know that its request had been sent. */
  private static boolean mayBeUnknown(TrackedJob job, int attempt) {
    return job.stored() != null
        && job.stored().state().equals("CANCELLED")
        && job.launches(attempt).anyMatch(launch -> launch.arrival().explained());
  }

  // ---- reports

  /**
   * The reports of a claim that lives are accepted. The report of its end is accepted again when it
   * is repeated.
   */
  private void judgeAlive(TrackedJob job, ClaimFacts claim) {
    for (RunCall report : claim.reports()) {
      if (!report.isRefusedAs(STALE) || report.queued() != null) {
        continue;
      }
      boolean wasAlive =
          report.called() >= claim.by()
              && report.returned() < Math.min(claim.livesUntil(), claim.endedFrom());
      if (wasAlive) {
        find(Finding.Kind.LOST, job, report.kind() + " refused although its claim lived");
      } else if (report.isEnd()
          && isRepeated(claim, report)
          && !mayBeForgotten(job, claim, report)) {
        find(
            Finding.Kind.LOST,
            job,
            "the same " + report.kind() + " was refused after it was accepted");
      }
    }
  }

  private static boolean isRepeated(ClaimFacts claim, RunCall report) {
    return claim.reports().stream()
        .anyMatch(
            it -> it.kind() == report.kind() && it.isAccepted() && it.returned() < report.called());
  }

  /**
   * Whether a later claim may have ended as well, so that the end of this one is no longer stored:
   * the job keeps only the last end.
   */
  private static boolean mayBeForgotten(TrackedJob job, ClaimFacts claim, RunCall report) {
    return job.calls().stream()
        .filter(it -> it.isEnd() && it.mayBeAccepted())
        .anyMatch(it -> !it.token().equals(claim.token()) && it.called() <= report.returned());
  }

  /**
   * Judges an accepted report: no earlier report, other attempt or other claim had certainly ended
   * its claim.
   */
  private void judgeAccepted(TrackedJob job, RunCall report, @Nullable ClaimFacts claim) {
    if (claim == null) {
      find(Finding.Kind.DOUBLED, job, report.kind() + " accepted with a token of no claim");
      return;
    }
    boolean isRepeat =
        report.isEnd()
            && claim
                .possible(report.kind())
                .anyMatch(it -> !it.equals(report) && it.called() <= report.returned());
    if (isRepeat) {
      return;
    }
    boolean hasFollower =
        job.launches().stream()
                .map(Launch::arrival)
                .anyMatch(it -> it.attempt() > claim.attempt() && it.at() < report.called())
            || job.claims().stream()
                .anyMatch(
                    it ->
                        !it.token().equals(claim.token())
                            && it.from() > claim.by()
                            && it.by() < report.called());
    if (hasFollower) {
      find(
          Finding.Kind.DOUBLED,
          job,
          report.kind() + " accepted although another attempt had begun");
    }
    if (report.called() > job.inTime(claim.attempt(), claim.deadlineBy())) {
      find(Finding.Kind.LATE, job, report.kind() + " accepted long after the run had to end");
    }
    if (claim.endedBy() < report.called()) {
      find(Finding.Kind.DOUBLED, job, report.kind() + " accepted after the end of its attempt");
    }
  }

  private void find(Finding.Kind kind, TrackedJob job, String what) {
    findings.add(new Finding(kind, schedule.name(), job.id(), what));
  }
}
