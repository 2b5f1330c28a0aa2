package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to one attempt of a job, for a limited time.
 *
 * @param claimToken what each report of this attempt must contain
 * @param attempt the number of the attempt, from 1. A later attempt has a greater number
 * @param expiresAt by the server's clock
 * @param expiresIn the seconds from the server's answer to {@code expiresAt}. Measured from the
 *     sending of the request, they end before the claim does, whatever the clocks show
 * @param operations not available yet
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Claim(
    @JsonProperty(required = true) String claimToken,
    int attempt,
    Instant expiresAt,
    @JsonProperty(required = true) BigDecimal expiresIn,
    @Nullable JsonNode operations) {

  /** Replaces JSON null by null. */
  public Claim {
    operations = operations == null || operations.isNull() ? null : operations;
  }

  /** How long the claim lasts, at least, from the sending of its request. */
  public Duration lifetime() {
    return Seconds.duration(expiresIn);
  }
}
