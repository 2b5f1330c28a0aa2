package dev.carillon.campaign.judge;

/**
 * A request of a worker about an attempt of a tracked job, or of a caller about the job.
 *
 * @param attempt the attempt as the message names it, or as the answer to the claim did; 0 if the
 *     request names none
 * @param worker the name of the claimant; for a report that of the claim whose token it carries
 * @param token the token that a claim was answered with, or that a report carries; empty for none
 * @param isFinal for a failure whether it is not retriable
 * @param called when it was sent
 * @param returned when the invocation ended, after which it has no effect; {@link History#NEVER} if
 *     it had not ended
 * @param status the status of the answer; 0 if none came, or if it does not say what happened
 * @param problem the type of a refusal; empty for none
 * @param isCancelled whether a heartbeat was answered that the job is cancelled
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
    boolean isCancelled) {

  /** The kinds of requests. */
  public enum Kind {
    CLAIM,
    HEARTBEAT,
    SUCCEED,
    FAIL,
    CANCEL,
    RETRY
  }

  /** Whether it was certainly accepted. */
  boolean isAccepted() {
    return status == 200;
  }

  /** Whether it may have been accepted. */
  boolean mayBeAccepted() {
    return isAccepted() || status == 0;
  }

  /** Whether it was certainly refused, for this reason. */
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
