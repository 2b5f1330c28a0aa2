package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.run.Claim;
import dev.carillon.run.Operations;
import dev.carillon.run.Run;
import dev.carillon.run.Tracking;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The claim of a job, as the answers to its worker show it. */
final class ClaimView {

  private ClaimView() {}

  /**
   * The claim that a request made. A repeated request gets the claim that its first try made.
   *
   * <p>A heartbeat whose answer is lost can bring the time-out nearer than that of the claim. So
   * before the first report the answer names the shortest time-out that a heartbeat can set, and
   * the worker does not take a claim for longer than it can last.
   */
  static ObjectNode of(Job job, Instant now) {
    Claim claim = Objects.requireNonNull(job.claim());
    Run run = Objects.requireNonNull(job.run());
    Tracking tracking = run.policy().tracking();
    Instant expiresAt = Objects.requireNonNull(job.reportBy());
    if (job.state() == JobState.CLAIMED) {
      expiresAt =
          Collections.min(
              List.of(
                  expiresAt,
                  now.plus(tracking.heartbeatTimeout()),
                  now.plus(tracking.runTimeout())));
    }
    ObjectNode view = Json.object().put("claimToken", claim.token()).put("attempt", job.attempt());
    Operations operations = run.operations();
    return expiring(view, expiresAt, now)
        .set("operations", operations.isEmpty() ? null : OperationsView.list(operations));
  }

  /** Adds the instant by which the next report is due, and the time until then. */
  static ObjectNode expiring(ObjectNode answer, Job job, Instant now) {
    return expiring(answer, Objects.requireNonNull(job.reportBy()), now);
  }

  private static ObjectNode expiring(ObjectNode answer, Instant expiresAt, Instant now) {
    double seconds = Math.max(0, Duration.between(now, expiresAt).toMillis()) / 1000.0;
    return answer.put("expiresAt", ScheduleView.text(expiresAt)).put("expiresIn", seconds);
  }
}
