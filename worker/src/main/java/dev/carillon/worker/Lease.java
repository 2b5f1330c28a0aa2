package dev.carillon.worker;

import java.time.Duration;

/**
 * The time for which a claim certainly lasts, by the worker's own monotonic clock. It is the
 * lifetime that the server named, counted from the instant at which the request was sent. This is
 * safe, because the server began to count later than that.
 *
 * @param sentAt when the request was sent, in nanoseconds of the monotonic clock
 * @param stopAt when an attempt that was not renewed must stop, by the same clock
 */
record Lease(long sentAt, Duration lifetime, long stopAt) {

  /**
   * The shortest interval, so that a very short lifetime does not cause heartbeats without a pause.
   */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  private static final int HEARTBEATS_PER_LIFETIME = 5;
  private static final int STOP_PERCENT = 80;

  Lease(long sentAt, Duration lifetime) {
    this(sentAt, lifetime, sentAt + lifetime.multipliedBy(STOP_PERCENT).dividedBy(100).toNanos());
  }

  /**
   * This lease after a heartbeat that did not extend the claim: the attempt must stop no later than
   * before.
   */
  Lease stoppingBy(Lease before) {
    return stopAt - before.stopAt < 0 ? this : new Lease(sentAt, lifetime, before.stopAt);
  }

  /** The interval from one heartbeat to the next. */
  Duration interval() {
    Duration fifth = lifetime.dividedBy(HEARTBEATS_PER_LIFETIME);
    return fifth.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : fifth;
  }

  /** Whether the claim was renewed so recently that no heartbeat is due. */
  boolean isFresh(long now) {
    return interval().compareTo(Duration.ofNanos(now - sentAt)) > 0;
  }

  /** The time until the attempt must stop; zero or negative if it must have stopped already. */
  Duration left(long now) {
    return Duration.ofNanos(stopAt - now);
  }

  /** Whether an attempt that was not renewed must stop. */
  boolean mustStop(long now) {
    Duration left = left(now);
    return left.isZero() || left.isNegative();
  }
}
