package dev.carillon.campaign.judge;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of a worker about an attempt of a tracked job, or of a caller about the job.
 *
 * @param attempt the attempt that the message or the answer to the claim names; 0 if the request
 *     names none
 * @param worker the name of the claimant; a report carries the token of that worker's claim
 * @param token the token that a claim was answered with, or that a report carries; empty for none
 * @param isFinal whether a failure is not retriable
 * @param called when the call was sent
 * @param returned when the invocation ended, after which the call has no effect; {@link
 *     History#NEVER} if it had not ended
 * @param status the status of the answer; 0 if none came, or if it does not say what happened
 * @param problem the type of a refusal; empty for none
 * @param isCancelled whether the answer to a heartbeat says that the job is cancelled
 * @param operations the states of operations that a heartbeat reports, or that the answer to a
 *     claim contains
 * @param queued how the call was sent as a message of the report queue, which gives no answer; null
 *     for a request over HTTP
 */
public record RunCall(
    Kind kind,
    String jobId,
    int attempt,
    String worker,
    String token,
    boolean isFinal,
    long called,
    long returned,
    int status,
    String problem,
    boolean isCancelled,
    Map<String, String> operations,
    @Nullable Queued queued) {

  /**
   * A message of the report queue.
   *
   * @param visible the instant from which it can be received
   */
  public record Queued(long visible) {}

  /** A request without operations. */
  public RunCall(
      Kind kind,
      String jobId,
      int attempt,
      String worker,
      String token,
      boolean isFinal,
      long called,
      long returned,
      int status,
      String problem,
      boolean isCancelled) {
    this(
        kind,
        jobId,
        attempt,
        worker,
        token,
        isFinal,
        called,
        returned,
        status,
        problem,
        isCancelled,
        Map.of(),
        null);
  }

  /** This message, marked as one that certainly has no effect. */
  RunCall refused(String why) {
    return answered(409, why);
  }

  /** This call, as if no answer had come. */
  RunCall unanswered() {
    return answered(0, "");
  }

  private RunCall answered(int newStatus, String newProblem) {
    return new RunCall(
        kind,
        jobId,
        attempt,
        worker,
        token,
        isFinal,
        called,
        returned,
        newStatus,
        newProblem,
        false,
        operations,
        queued);
  }

  /** This call, as if it was sent at another instant. */
  public RunCall calledAt(long instant) {
    return new RunCall(
        kind,
        jobId,
        attempt,
        worker,
        token,
        isFinal,
        instant,
        returned,
        status,
        problem,
        isCancelled,
        operations,
        queued);
  }

  /** The earliest instant at which the call may have an effect. */
  long from() {
    return queued == null ? called : queued.visible();
  }

  /** The kinds of requests. */
  public enum Kind {
    CLAIM,
    HEARTBEAT,
    SUCCEED,
    FAIL,
    CANCEL,
    RETRY
  }

  /** Whether the call was certainly accepted. */
  boolean isAccepted() {
    return status == 200;
  }

  /** Whether the call may have been accepted. */
  boolean mayBeAccepted() {
    return isAccepted() || status == 0;
  }

  /** Whether the call was certainly refused, for this reason. */
  boolean isRefusedAs(String type) {
    return problem.equals(type);
  }

  boolean isEnd() {
    return kind == Kind.SUCCEED || kind == Kind.FAIL;
  }

  boolean isReport() {
    return isEnd() || kind == Kind.HEARTBEAT;
  }
}
