package dev.carillon.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The instant by which a function hands on what it has not done yet. */
public record Deadline(Instant at, InstantSource clock) {

  /**
   * An earlier one, when {@code parts} of {@code of} equal parts of the time that is left are over.
   */
  public Deadline after(int parts, int of) {
    Instant now = clock.instant();
    Duration left = Duration.between(now, at);
    return new Deadline(now.plus(left.multipliedBy(parts).dividedBy(of)), clock);
  }

  public boolean hasPassed() {
    return !clock.instant().isBefore(at);
  }

  /** Whether it passed so long ago: what it leaves for handing on is used up by that much. */
  public boolean hasPassedFor(Duration time) {
    return !clock.instant().minus(time).isBefore(at);
  }

  /** Whether less than this is left. */
  public boolean isWithin(Duration time) {
    return !clock.instant().plus(time).isBefore(at);
  }
}
