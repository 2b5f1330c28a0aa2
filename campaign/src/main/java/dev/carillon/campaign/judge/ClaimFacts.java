package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.RunCall.Kind;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A claim that was accepted, and its reports.
 *
 * @param tracking the time-outs of its job
 * @param skew by how many milliseconds the time of a report can be wrong
 * @param token the token of the claim
 * @param claims the calls that were answered with the token. A call with an unknown answer is among
 *     them if the same worker made it for the same attempt
 * @param reports the calls with the token, in the order in which they were sent; includes those
 *     that were certainly refused
 * @param takenBy the instant by which a message of the report queue has certainly been processed
 */
record ClaimFacts(
    Tracking tracking,
    long skew,
    String token,
    List<RunCall> claims,
    List<RunCall> reports,
    ToLongFunction<RunCall> takenBy) {

  int attempt() {
    return accepted().findFirst().orElseThrow().attempt();
  }

  private Stream<RunCall> accepted() {
    return claims.stream().filter(RunCall::isAccepted);
  }

  /** The earliest instant at which the claim may have been stored. */
  long from() {
    return claims.stream().mapToLong(RunCall::called).min().orElseThrow();
  }

  /** The instant by which the claim was certainly stored. */
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

  /**
   * The earliest instant at which the worker may have ended the claim; NEVER if the worker has not
   * ended it.
   */
  long endedFrom() {
    return possibleReports()
        .filter(RunCall::isEnd)
        .mapToLong(RunCall::from)
        .min()
        .orElse(History.NEVER);
  }

  /**
   * The instant by which the worker had certainly ended the claim; NEVER if it is uncertain that
   * the worker did.
   */
  long endedBy() {
    LongStream answered =
        reports.stream().filter(it -> it.isEnd() && it.isAccepted()).mapToLong(RunCall::returned);
    LongStream taken = reports.stream().filter(this::isTaken).mapToLong(takenBy);
    return LongStream.concat(answered, taken).min().orElse(History.NEVER);
  }

  /** Whether an end in the report queue was certainly processed before a time-out. */
  private boolean isTaken(RunCall end) {
    return end.isEnd() && isMessage(end) && takenBy.applyAsLong(end) < livesUntil();
  }

  private static boolean isMessage(RunCall call) {
    return call.queued() != null && call.mayBeAccepted();
  }

  /** Whether a success in the report queue certainly ended the claim. */
  boolean isSucceededByMessage() {
    return reports.stream()
        .filter(it -> it.kind() == Kind.SUCCEED && isTaken(it))
        .anyMatch(
            success ->
                possible(Kind.FAIL).allMatch(it -> it.from() > takenBy.applyAsLong(success)));
  }

  /** The heartbeats over HTTP that may have been accepted. */
  private List<RunCall> heartbeats() {
    return possible(Kind.HEARTBEAT).filter(it -> it.queued() == null).toList();
  }

  private List<RunCall> queuedHeartbeats() {
    return possible(Kind.HEARTBEAT).filter(it -> it.queued() != null).toList();
  }

  /**
   * The instant until which the claim certainly lives if its worker does not end it. The last
   * stored report decides, and no report is stored before it was sent. A message that was processed
   * in time extends the claim from the instant at which it was sent.
   */
  long livesUntil() {
    long started = possibleReports().mapToLong(RunCall::called).min().orElse(History.NEVER);
    long deadline = started == History.NEVER ? History.NEVER : started + tracking.run();
    long renewed = renewedUntil();
    for (RunCall message : queuedHeartbeats()) {
      if (takenBy.applyAsLong(message) < Math.min(renewed, deadline) - 2 * skew) {
        renewed = Math.max(renewed, message.called() + tracking.heartbeat());
      }
    }
    return Math.min(renewed, deadline) - 2 * skew;
  }

  /** The instant until which the claim's answered requests extend it. */
  private long renewedUntil() {
    long last =
        heartbeats().stream()
            .filter(RunCall::isAccepted)
            .mapToLong(RunCall::called)
            .max()
            .orElse(History.NEVER);
    return last != History.NEVER
        ? last + tracking.heartbeat()
        : Math.min(
            from() + tracking.claim(),
            // A refused heartbeat counts too: its first write may have taken effect before it was
            // refused.
            reports.stream()
                .filter(it -> it.kind() == Kind.HEARTBEAT && it.queued() == null)
                .mapToLong(it -> it.called() + tracking.heartbeat())
                .min()
                .orElse(History.NEVER));
  }

  /**
   * The latest instant at which the run must have ended; NEVER if it is uncertain that the run has
   * started.
   */
  long deadlineBy() {
    long started =
        reports.stream()
            .filter(RunCall::isAccepted)
            .mapToLong(RunCall::returned)
            .min()
            .orElse(History.NEVER);
    return started == History.NEVER ? History.NEVER : started + tracking.run() + 2 * skew;
  }

  /** The latest instant of the claim's time-out; NEVER if that is unknown. */
  long expiresBy() {
    List<RunCall> heartbeats = heartbeats();
    long renewed = heartbeats.stream().mapToLong(RunCall::returned).max().orElse(Long.MIN_VALUE);
    if (renewed == History.NEVER) {
      return History.NEVER;
    }
    boolean isStarted = heartbeats.stream().anyMatch(RunCall::isAccepted);
    long first = isStarted ? Long.MIN_VALUE : by() + tracking.claim();
    long sent = queuedHeartbeats().stream().mapToLong(RunCall::called).max().orElse(0);
    long message = Math.max(first, sent + tracking.heartbeat());
    long last = heartbeats.isEmpty() ? message : Math.max(message, renewed + tracking.heartbeat());
    return Math.min(last + 2 * skew, deadlineBy());
  }
}
