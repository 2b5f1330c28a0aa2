package dev.carillon.simulation;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that advances only on demand, and never goes back. */
final class VirtualClock implements InstantSource {

  private Instant now;

  VirtualClock(Instant start) {
    this.now = start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  void advanceTo(Instant instant) {
    if (instant.isAfter(now)) {
      now = instant;
    }
  }
}
