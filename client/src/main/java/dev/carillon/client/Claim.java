package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A worker's right to one attempt of a job, for a limited time.
 *
 * @param claimToken the token that each report of this attempt must contain
 * @param attempt the number of the attempt, from 1. A later attempt has a greater number
 * @param expiresAt the end of the claim by the server's clock
 * @param expiresIn the seconds between the server's answer and {@code expiresAt}. If a worker
 *     counts them from the instant at which it sent its request, it stops before the claim ends,
 *     even if the clocks differ
 * @param operations the operations of the job, with the states that earlier attempts reported;
 *     empty for none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Claim(
    @JsonProperty(required = true) String claimToken,
    int attempt,
    Instant expiresAt,
    @JsonProperty(required = true) BigDecimal expiresIn,
    List<OperationProgress> operations) {

  /** Applies the defaults. */
  public Claim {
    operations = operations == null ? List.of() : List.copyOf(operations);
  }

  /**
   * The shortest time that the claim lasts, counted from the instant at which its request was sent.
   */
  public Duration lifetime() {
    return Seconds.duration(expiresIn);
  }
}
