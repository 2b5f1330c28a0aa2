package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * The answer to a heartbeat, which extends the claim.
 *
 * @param expiresAt the end of the claim by the server's clock
 * @param expiresIn the seconds between the server's answer and {@code expiresAt}
 * @param cancelled whether a caller cancelled the job
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Renewal(
    Instant expiresAt, @JsonProperty(required = true) BigDecimal expiresIn, boolean cancelled) {

  /**
   * The shortest time that the claim lasts, counted from the instant at which the heartbeat was
   * sent.
   */
  public Duration lifetime() {
    return Seconds.duration(expiresIn);
  }
}
