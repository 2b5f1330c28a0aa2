package dev.carillon.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to an attempt.
 *
 * @param token fences the reports of other claims off; known to this worker only
 * @param startedAt when the first report was accepted; null before
 */
public record Claim(String worker, String token, Instant claimedAt, @Nullable Instant startedAt) {

  public Claim started(Instant now) {
    return startedAt == null ? new Claim(worker, token, claimedAt, now) : this;
  }
}
