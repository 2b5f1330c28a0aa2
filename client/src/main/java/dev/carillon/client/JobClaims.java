package dev.carillon.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.Transport.Call;
import dev.carillon.client.schedule.Json;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker's calls for the jobs of a namespace: it claims an attempt, renews the claim, and reports
 * the end. Each of them is safe to repeat with the same arguments.
 *
 * <p>A claim that is refused is a {@link CarillonException.Conflict} whose problem has the code
 * {@link #SUPERSEDED} or {@link #NOT_YET}. A report with a token that no longer counts has the code
 * {@link #STALE}; it has no effect.
 */
public final class JobClaims {

  /** Another worker has the attempt, or it is over: delete the message. */
  public static final String SUPERSEDED = "superseded";

  /** The attempt has not begun: leave the message in its queue. */
  public static final String NOT_YET = "notYet";

  /** The claim is lost: stop the attempt. */
  public static final String STALE = "stale";

  private final Transport transport;
  private final String root;

  JobClaims(Transport transport, String root) {
    this.transport = transport;
    this.root = root + "/jobs/";
  }

  /**
   * Claims an attempt of a job.
   *
   * @param worker the name of the claimant. The same worker gets the same claim again
   * @param attempt of the launch request
   */
  public Claim claim(String jobId, String worker, int attempt) {
    ObjectNode body = Json.object().put("worker", worker).put("attempt", attempt);
    return transport.send(call(jobId, "claim", body), Claim.class);
  }

  /**
   * Renews a claim.
   *
   * @param progress any JSON; null to leave it as it is
   * @param operations the states that changed, by operation; empty for none
   * @param longest the longest time to wait for the answer
   */
  public Renewal heartbeat(
      String jobId,
      String claimToken,
      @Nullable JsonNode progress,
      Map<String, OperationState> operations,
      Duration longest) {
    ObjectNode body = Json.object().put("claimToken", claimToken);
    if (progress != null) {
      body.set("progress", progress);
    }
    if (!operations.isEmpty()) {
      body.set("operations", Json.tree(operations));
    }
    return transport.send(call(jobId, "heartbeat", body), Renewal.class, longest);
  }

  /**
   * Ends a job as SUCCEEDED.
   *
   * @param output any JSON of at most 8 KB; null for none
   */
  public void succeed(String jobId, String claimToken, @Nullable JsonNode output) {
    ObjectNode body = Json.object().put("claimToken", claimToken);
    if (output != null) {
      body.set("output", output);
    }
    transport.send(call(jobId, "succeed", body), JsonNode.class);
  }

  /**
   * Ends an attempt as failed.
   *
   * @param error for people; null for none
   * @param retriable whether another attempt is worth while
   */
  public void fail(String jobId, String claimToken, @Nullable String error, boolean retriable) {
    ObjectNode body = Json.object().put("claimToken", claimToken).put("retriable", retriable);
    if (error != null) {
      body.put("error", error);
    }
    transport.send(call(jobId, "fail", body), JsonNode.class);
  }

  private Call call(String jobId, String what, ObjectNode body) {
    return new Call("POST", root + Transport.encoded(jobId) + "/" + what, body);
  }
}
