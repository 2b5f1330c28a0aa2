package dev.carillon.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The instant by which a function must hand its remaining work to another message. */
public record Deadline(Instant at, InstantSource clock) {

  /**
   * Divides the remaining time into {@code of} equal parts. The result is the deadline at the end
   * of the first {@code parts} of them.
   */
  public Deadline after(int parts, int of) {
    Instant now = clock.instant();
    Duration left = Duration.between(now, at);
    return new Deadline(now.plus(left.multipliedBy(parts).dividedBy(of)), clock);
  }

  public boolean hasPassed() {
    return !clock.instant().isBefore(at);
  }

  /**
   * Whether this much time has passed since the deadline. A function has a reserve of time after
   * its deadline, in which it hands over its remaining work.
   */
  public boolean hasPassedFor(Duration time) {
    return !clock.instant().minus(time).isBefore(at);
  }

  /** Whether less than this time is left. */
  public boolean isWithin(Duration time) {
    return !clock.instant().plus(time).isBefore(at);
  }
}
