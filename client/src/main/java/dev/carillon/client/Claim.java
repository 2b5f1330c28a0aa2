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
 * @param claimToken what each report of this attempt must contain
 * @param attempt the number of the attempt, from 1. A later attempt has a greater number
 * @param expiresAt by the server's clock
 * @param expiresIn the seconds from the server's answer to {@code expiresAt}. A worker that counts
 *     them from the sending of its request stops before the claim ends, whatever the clocks show
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

  /** How long the claim lasts, at least, from the sending of its request. */
  public Duration lifetime() {
    return Seconds.duration(expiresIn);
  }
}
