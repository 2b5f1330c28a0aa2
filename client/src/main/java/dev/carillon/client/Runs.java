package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.Transport.Call;
import dev.carillon.client.schedule.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The runs of tracked jobs of a namespace. A worker claims an attempt or pulls jobs of a pool,
 * renews the claim, and reports the end. A caller cancels and retries. Each of these calls is safe
 * to repeat with the same arguments.
 *
 * <p>A refusal with status 409 is a {@link CarillonException.Conflict}. The type of its problem
 * determines what to do: it is one of the constants, or another type if the job is not tracked.
 */
public final class Runs {

  private static final String TYPE = "urn:carillon:problem:";

  /** Another worker has claimed the attempt, or the attempt has ended: delete the message. */
  public static final String SUPERSEDED = TYPE + "superseded";

  /** The attempt cannot begin now: leave the message in its queue. */
  public static final String NOT_YET = TYPE + "not-yet";

  /** The claim is lost: stop the attempt. */
  public static final String STALE_CLAIM = TYPE + "stale-claim";

  /** Another change is under way: repeat the request. */
  public static final String CONCURRENT_CHANGE = TYPE + "concurrent-change";

  /** A stack admits one request a second that changes many jobs. */
  private static final int MOST_TRIES = 10;

  private static final int THROTTLED = 429;
  private static final String LARGEST_PAGE = "1000";

  private final Transport transport;
  private final String root;
  private final String pools;

  Runs(Transport transport, String root) {
    this.transport = transport;
    this.root = root + "/jobs/";
    this.pools = root + "/pools/";
  }

  /**
   * Claims an attempt of a job.
   *
   * @param worker the name of the claimant. The same worker gets the same claim again
   * @param attempt the attempt that the launch request names
   */
  public Claim claim(String jobId, String worker, int attempt) {
    ObjectNode body = Json.object().put("worker", worker).put("attempt", attempt);
    return transport.send(call(jobId, "claim", body), Claim.class);
  }

  /**
   * Claims the next jobs of a pool.
   *
   * @return the claimed jobs, at most as many as asked for; empty if no job became READY in time,
   *     or if the pool is paused
   * @throws CarillonException.NotFound if there is no such pool
   */
  public List<PulledJob> next(String pool, Pull pull) {
    Call call = new Call("POST", pools + NameForm.OBJECT.segment(pool) + "/next", Json.tree(pull));
    return transport.send(call, Pulled.class).jobs();
  }

  /**
   * Renews a claim.
   *
   * @param progress the progress, as any JSON of at most 2 KB; null to leave it as it is
   * @param operations the states that changed, by operation; empty for none
   * @param longest the longest time to wait for the answer
   */
  public Renewal heartbeat(
      String jobId,
      String claimToken,
      @Nullable JsonNode progress,
      Map<String, OperationState> operations,
      Duration longest) {
    operations.forEach(
        (id, state) -> Known.sent(state, OperationState.UNRECOGNIZED, "/operations/" + id));
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
    transport.send(call(jobId, "succeed", body), Accepted.class);
  }

  /**
   * Ends an attempt as failed.
   *
   * @param error a text for people; null for none
   * @param retriable whether another attempt can succeed
   */
  public void fail(String jobId, String claimToken, @Nullable String error, boolean retriable) {
    ObjectNode body = Json.object().put("claimToken", claimToken).put("retriable", retriable);
    if (error != null) {
      body.put("error", error);
    }
    transport.send(call(jobId, "fail", body), Accepted.class);
  }

  /**
   * Cancels a job. A job that waits, or a tracked one that no worker has claimed, ends at once. The
   * worker of a claimed job learns of the cancellation with its next heartbeat. A job that was sent
   * and is not tracked is refused, and so is one that is being sent: then repeat the call.
   *
   * @return the job in its present state
   */
  public ChangedJob cancel(String jobId) {
    return transport.send(call(jobId, "cancel", Json.object()), ChangedJob.class);
  }

  /**
   * Launches one more attempt of a tracked job that was launched and ended without success.
   *
   * @return the job in its present state
   */
  public ChangedJob retry(String jobId) {
    return transport.send(call(jobId, "retry", Json.object()), ChangedJob.class);
  }

  /**
   * Retries each selected job, as {@link #retry(String)} does, with as many requests as needed. It
   * waits and sends a request again if the API throttles it. After an exception, repeat the call:
   * it continues with the remaining jobs; a dry run begins again.
   */
  public ChangedJobs retry(JobSelection selection) {
    return all("retry", selection);
  }

  /**
   * Cancels each selected job, as {@link #cancel(String)} does. Like {@link #retry(JobSelection)},
   * the call can be repeated after an exception.
   */
  public ChangedJobs cancel(JobSelection selection) {
    return all("cancel", selection);
  }

  private ChangedJobs all(String what, JobSelection selection) {
    ChangedJobs all = ChangedJobs.NONE;
    do {
      Map<String, @Nullable String> query = new HashMap<>();
      query.put("limit", LARGEST_PAGE);
      query.put("next", all.next());
      Call call = new Call("POST", root + what, query, Map.of(), selection.body());
      all = all.plus(page(call));
    } while (all.next() != null);
    return all;
  }

  /** A throttled request has had no effect, so it is sent again. */
  private ChangedJobs page(Call call) {
    for (int tries = 1; ; tries++) {
      try {
        return transport.send(call, ChangedJobs.class);
      } catch (CarillonException.Unavailable busy) {
        if (busy.status() != THROTTLED || tries == MOST_TRIES || !pause(busy.retryAfter())) {
          throw busy;
        }
      }
    }
  }

  /** Waits; false if the wait was interrupted. */
  private static boolean pause(Duration length) {
    try {
      Thread.sleep(length.toMillis());
      return true;
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Pulled(@JsonProperty(required = true) List<PulledJob> jobs) {}

  /** The answer to a report. New versions of the service may add states, so these are not read. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Accepted(@JsonProperty(required = true) String jobId) {}

  private Call call(String jobId, String what, ObjectNode body) {
    return new Call("POST", root + Transport.encoded(jobId) + "/" + what, body);
  }
}
