package dev.carillon;

import java.time.Instant;
import java.time.InstantSource;

/** The instant by which a function hands on what it has not done yet. */
public record Deadline(Instant at, InstantSource clock) {

  public boolean hasPassed() {
    return !clock.instant().isBefore(at);
  }
}
