package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A job of a pool, already claimed for the worker that asked for it.
 *
 * @param claimToken the token that each report of this attempt must contain
 * @param attempt the number of the attempt, from 1. A later attempt has a greater number
 * @param expiresAt the end of the claim by the server's clock
 * @param expiresIn the seconds between the server's answer and {@code expiresAt}
 * @param operations the operations of the job, with the states that earlier attempts reported;
 *     empty for none
 * @param body the rendered request
 * @param attributes the attributes that a message of the job would have
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PulledJob(
    @JsonProperty(required = true) String jobId,
    int attempt,
    @JsonProperty(required = true) String claimToken,
    Instant expiresAt,
    @JsonProperty(required = true) BigDecimal expiresIn,
    List<OperationProgress> operations,
    @JsonProperty(required = true) String body,
    Map<String, String> attributes) {

  /** Applies the defaults. */
  public PulledJob {
    operations = operations == null ? List.of() : List.copyOf(operations);
    attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
  }

  /** The worker's right to the attempt. */
  public Claim claim() {
    return new Claim(claimToken, attempt, expiresAt, expiresIn, operations);
  }
}
