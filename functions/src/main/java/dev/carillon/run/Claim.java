package dev.carillon.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to an attempt.
 *
 * @param token a secret that only this worker knows; it keeps the reports of other claims from
 *     being accepted
 * @param startedAt when the first report was accepted; null before the first
 * @param reportedAt when the newest accepted heartbeat was sent; null before the first
 */
public record Claim(
    String worker,
    String token,
    Instant claimedAt,
    @Nullable Instant startedAt,
    @Nullable Instant reportedAt) {

  /** A claim without a heartbeat. */
  public Claim(String worker, String token, Instant claimedAt, @Nullable Instant startedAt) {
    this(worker, token, claimedAt, startedAt, null);
  }

  public Claim started(Instant now) {
    return startedAt == null ? new Claim(worker, token, claimedAt, now, reportedAt) : this;
  }

  /** The claim after a heartbeat that was sent later than all before it. */
  public Claim reported(Instant sentAt) {
    return new Claim(worker, token, claimedAt, startedAt, sentAt);
  }

  /** Whether a heartbeat was sent before one that was accepted already. */
  public boolean isOvertaken(Instant sentAt) {
    return reportedAt != null && sentAt.isBefore(reportedAt);
  }
}
