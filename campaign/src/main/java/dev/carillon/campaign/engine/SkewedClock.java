package dev.carillon.campaign.engine;

import java.time.Instant;
import java.time.InstantSource;

/** The clock of one instance of a function: off by up to two seconds while faults strike. */
public final class SkewedClock implements InstantSource {

  /** Milliseconds that a clock may be off. */
  public static final long MOST_SKEW = 2_000;

  private final Link link;
  private long skew;

  public SkewedClock(Link link) {
    this.link = link;
    this.skew = link.faults().strikes(FaultKind.CLOCK_SKEWED) ? anySkew() : 0;
  }

  private long anySkew() {
    return link.faults().millis(-MOST_SKEW, MOST_SKEW);
  }

  @Override
  public Instant instant() {
    if (link.faults().isOver()) {
      skew = 0;
    } else if (link.faults().strikes(FaultKind.CLOCK_STEPPED)) {
      skew = anySkew();
    }
    long shown = link.steps().now() + skew;
    Task reader = link.steps().current();
    reader.latestClock = Math.max(reader.latestClock, shown);
    return Instant.ofEpochMilli(shown);
  }
}
