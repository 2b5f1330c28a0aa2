package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;

/**
 * The answer to a heartbeat: the claim lasts longer.
 *
 * @param expiresAt by the server's clock
 * @param expiresIn the seconds from the server's answer to {@code expiresAt}
 * @param cancelled whether a caller cancelled the job
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Renewal(
    Instant expiresAt, @JsonProperty(required = true) BigDecimal expiresIn, boolean cancelled) {

  /** How long the claim lasts, at least, from the sending of the heartbeat. */
  public Duration lifetime() {
    return Seconds.duration(expiresIn);
  }
}
