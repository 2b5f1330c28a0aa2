package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;
import java.util.stream.Stream;

/**
 * A claim that was accepted, and its reports.
 *
 * @param tracking the time-outs of its job
 * @param skew by so many milliseconds a function may date a report wrongly
 * @param token of the claim
 * @param claims the calls that were answered with the token, or may have been because the same
 *     worker made them for the same attempt
 * @param reports the calls with the token, certain refusals included, in the order in which they
 *     were sent
 */
record ClaimFacts(
    Tracking tracking, long skew, String token, List<RunCall> claims, List<RunCall> reports) {

  int attempt() {
    return accepted().findFirst().orElseThrow().attempt();
  }

  private Stream<RunCall> accepted() {
    return claims.stream().filter(RunCall::isAccepted);
  }

  /** The earliest instant at which it may have been stored. */
  long from() {
    return claims.stream().mapToLong(RunCall::called).min().orElseThrow();
  }

  /** The instant at which it was certainly stored. */
  long by() {
    return accepted().mapToLong(RunCall::returned).min().orElseThrow();
  }

  /** The reports that may have been accepted. */
  Stream<RunCall> possible(Kind kind) {
    return reports.stream().filter(it -> it.kind() == kind && it.mayBeAccepted());
  }

  private Stream<RunCall> possibleReports() {
    return reports.stream().filter(RunCall::mayBeAccepted);
  }

  /** The earliest instant at which its worker may have ended it; NEVER if the worker has not. */
  long endedFrom() {
    return possibleReports()
        .filter(RunCall::isEnd)
        .mapToLong(RunCall::called)
        .min()
        .orElse(History.NEVER);
  }

  /** The instant at which its worker had certainly ended it; NEVER if that is not certain. */
  long endedBy() {
    return reports.stream()
        .filter(it -> it.isEnd() && it.isAccepted())
        .mapToLong(RunCall::returned)
        .min()
        .orElse(History.NEVER);
  }

  /**
   * Until when it certainly lives if its worker does not end it. The last report that was stored
   * decides: no report is stored before it was sent.
   */
  long livesUntil() {
    List<RunCall> heartbeats = possible(Kind.HEARTBEAT).toList();
    long last =
        heartbeats.stream()
            .filter(RunCall::isAccepted)
            .mapToLong(RunCall::called)
            .max()
            .orElse(History.NEVER);
    long renewed =
        last != History.NEVER
            ? last + tracking.heartbeat()
            : Math.min(
                from() + tracking.claim(),
                heartbeats.stream()
                    .mapToLong(it -> it.called() + tracking.heartbeat())
                    .min()
                    .orElse(History.NEVER));
    long started = possibleReports().mapToLong(RunCall::called).min().orElse(History.NEVER);
    long deadline = started == History.NEVER ? History.NEVER : started + tracking.run();
    return Math.min(renewed, deadline) - 2 * skew;
  }

  /** When its run must have ended at the latest; NEVER if it has not certainly started. */
  long deadlineBy() {
    long started =
        reports.stream()
            .filter(RunCall::isAccepted)
            .mapToLong(RunCall::returned)
            .min()
            .orElse(History.NEVER);
    return started == History.NEVER ? History.NEVER : started + tracking.run() + 2 * skew;
  }

  /** When its time-out comes at the latest; NEVER if that is unknown. */
  long expiresBy() {
    List<RunCall> heartbeats = possible(Kind.HEARTBEAT).toList();
    long renewed = heartbeats.stream().mapToLong(RunCall::returned).max().orElse(Long.MIN_VALUE);
    if (renewed == History.NEVER) {
      return History.NEVER;
    }
    boolean isStarted = heartbeats.stream().anyMatch(RunCall::isAccepted);
    long first = isStarted ? Long.MIN_VALUE : by() + tracking.claim();
    long last = heartbeats.isEmpty() ? first : Math.max(first, renewed + tracking.heartbeat());
    return Math.min(last + 2 * skew, deadlineBy());
  }
}
