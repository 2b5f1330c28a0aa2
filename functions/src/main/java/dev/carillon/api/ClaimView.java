package dev.carillon.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.job.Job;
import dev.carillon.run.Claim;
import dev.carillon.run.Operations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** The claim of a job, as the answers to its worker show it. */
final class ClaimView {

  private ClaimView() {}

  /** The claim that a request made. A repeated request gets the claim that its first try made. */
  static ObjectNode of(Job job, Instant now) {
    Claim claim = Objects.requireNonNull(job.claim());
    ObjectNode view = Json.object().put("claimToken", claim.token()).put("attempt", job.attempt());
    Operations operations = Objects.requireNonNull(job.run()).operations();
    return expiring(view, job, now)
        .set("operations", operations.isEmpty() ? null : OperationsView.list(operations));
  }

  /** Adds the instant by which the next report is due, and the time until then. */
  static ObjectNode expiring(ObjectNode answer, Job job, Instant now) {
    Instant expiresAt = Objects.requireNonNull(job.reportBy());
    double seconds = Math.max(0, Duration.between(now, expiresAt).toMillis()) / 1000.0;
    return answer.put("expiresAt", ScheduleView.text(expiresAt)).put("expiresIn", seconds);
  }
}
