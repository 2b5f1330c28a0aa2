package dev.carillon.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to an attempt.
 *
 * @param token fences the reports of other claims off; known to this worker only
 * @param startedAt when the first report was accepted; null before
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

  /** With a heartbeat that was sent after all others. */
  public Claim reported(Instant sentAt) {
    return new Claim(worker, token, claimedAt, startedAt, sentAt);
  }

  /** Whether a heartbeat was sent before one that was accepted. */
  public boolean isOvertaken(Instant sentAt) {
    return reportedAt != null && sentAt.isBefore(reportedAt);
  }
}
