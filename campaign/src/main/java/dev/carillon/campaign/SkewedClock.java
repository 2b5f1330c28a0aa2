package dev.carillon.campaign;

import java.time.Instant;
import java.time.InstantSource;

/** The clock of one instance of a function: off by up to two seconds while faults strike. */
final class SkewedClock implements InstantSource {

  /** Milliseconds that a clock may be off. */
  static final long MOST_SKEW = 2_000;

  private final Link link;
  private long skew;

  SkewedClock(Link link) {
    this.link = link;
    this.skew = link.weather().strikes(FaultKind.CLOCK_SKEWED) ? anySkew() : 0;
  }

  private long anySkew() {
    return link.weather().millis(-MOST_SKEW, MOST_SKEW);
  }

  @Override
  public Instant instant() {
    if (link.weather().isOver()) {
      skew = 0;
    } else if (link.weather().strikes(FaultKind.CLOCK_STEPPED)) {
      skew = anySkew();
    }
    long shown = link.steps().now() + skew;
    Task reader = link.steps().current();
    reader.latestClock = Math.max(reader.latestClock, shown);
    return Instant.ofEpochMilli(shown);
  }
}
