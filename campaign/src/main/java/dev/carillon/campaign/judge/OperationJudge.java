package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges the states of a job's operations in the answers to claims. An operation is done if an
 * accepted report of any attempt said so. An operation that a failed attempt was running waits
 * again. The answer to a repeated claim includes what the worker has reported since.
 */
final class OperationJudge {

  private static final String WAITING = "WAITING";
  private static final String RUNNING = "RUNNING";
  private static final String SUCCEEDED = "SUCCEEDED";
  private static final String FAILED = "FAILED";

  private final Schedule schedule;
  private final List<Finding> findings;

  OperationJudge(Schedule schedule, List<Finding> findings) {
    this.schedule = schedule;
    this.findings = findings;
  }

  void judge(TrackedJob job) {
    Map<String, ClaimFacts> claims = new TreeMap<>();
    job.claims().forEach(claim -> claims.put(claim.token(), claim));
    job.calls(Kind.CLAIM)
        .filter(RunCall::isAccepted)
        .forEach(call -> judgeAnswer(job, call, claims));
  }

  private void judgeAnswer(TrackedJob job, RunCall answer, Map<String, ClaimFacts> claims) {
    List<String> expected = job.tracking().operationIds();
    if (!answer.operations().keySet().equals(new TreeSet<>(expected))) {
      find(Finding.Kind.LOST, job, "a claim names the operations " + answer.operations().keySet());
      return;
    }
    for (String operation : expected) {
      Set<String> possible = possible(job, operation, answer, claims);
      String shown = answer.operations().get(operation);
      if (!possible.contains(shown)) {
        boolean isForgotten = possible.equals(Set.of(SUCCEEDED));
        find(
            isForgotten ? Finding.Kind.LOST : Finding.Kind.MISCOUNTED,
            job,
            "the claim of attempt %d says that %s is %s, but it is one of %s"
                .formatted(answer.attempt(), operation, shown, possible));
      }
    }
  }

  /** The states that an operation may have when a claim is answered. */
  private static Set<String> possible(
      TrackedJob job, String operation, RunCall answer, Map<String, ClaimFacts> claims) {
    List<RunCall> reports =
        job.calls(Kind.HEARTBEAT)
            .filter(it -> it.mayBeAccepted() || job.mayBeCarriedOut(it))
            .filter(it -> it.operations().containsKey(operation))
            .filter(it -> it.from() <= answer.returned())
            .toList();
    boolean hasFailed =
        reports.stream().anyMatch(it -> FAILED.equals(it.operations().get(operation)));
    List<RunCall> certain = new ArrayList<>();
    for (RunCall report : reports) {
      ClaimFacts claim = claims.get(report.token());
      boolean isCounted = report.queued() == null || !hasFailed;
      if (claim != null
          && isCounted
          && countedBy(job, report, operation, claim) <= answer.called()) {
        certain.add(report);
      }
    }
    Set<String> possible = new TreeSet<>();
    if (certain.isEmpty()) {
      possible.add(WAITING);
    }
    for (RunCall report : reports) {
      boolean isReplaced =
          certain.stream()
              .filter(other -> !other.equals(report))
              .anyMatch(other -> replaces(other, report, operation, hasFailed));
      if (!isReplaced) {
        possible.add(shown(report, operation, answer));
      }
    }
    return possible;
  }

  /** Whether a counted report replaces another one. What is done does not run again. */
  private static boolean replaces(
      RunCall counted, RunCall report, String operation, boolean hasFailed) {
    String by = counted.operations().get(operation);
    String state = report.operations().get(operation);
    if (RUNNING.equals(by) && SUCCEEDED.equals(state)) {
      return false;
    }
    boolean isDone = SUCCEEDED.equals(by) && RUNNING.equals(state) && !hasFailed;
    return isDone || counted.from() > effectBy(report);
  }

  private static String shown(RunCall report, String operation, RunCall answer) {
    String state = report.operations().get(operation);
    boolean isOwn = report.token().equals(answer.token());
    return RUNNING.equals(state) && !isOwn ? WAITING : String.valueOf(state);
  }

  /** The instant after which a report no longer has an effect. */
  private static long effectBy(RunCall report) {
    return report.queued() == null ? report.returned() : History.NEVER;
  }

  /**
   * The instant by which a report was certainly counted; NEVER if that is unknown. A message counts
   * if its claim lived when it was processed. A heartbeat that was sent later may have been
   * processed first, so a message counts only for operations that finished and never failed.
   */
  private static long countedBy(
      TrackedJob job, RunCall report, String operation, ClaimFacts claim) {
    if (report.queued() == null) {
      return report.isAccepted() ? report.returned() : History.NEVER;
    }
    long taken = job.takenBy(report);
    boolean isDone = SUCCEEDED.equals(report.operations().get(operation));
    return isDone && taken < Math.min(claim.livesUntil(), claim.endedFrom())
        ? taken
        : History.NEVER;
  }

  private void find(Finding.Kind kind, TrackedJob job, String what) {
    findings.add(new Finding(kind, schedule.name(), job.id(), what));
  }
}
