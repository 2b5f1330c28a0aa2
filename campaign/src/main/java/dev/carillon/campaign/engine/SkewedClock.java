package dev.carillon.campaign.engine;

import java.time.Instant;
import java.time.InstantSource;

/** The clock of one function instance: up to two seconds off while faults are injected. */
public final class SkewedClock implements InstantSource {

  /** The largest error of a clock, in milliseconds. */
  public static final long MAX_SKEW = 2_000;

  private final Link link;
  private long skew;

  public SkewedClock(Link link) {
    this.link = link;
    this.skew = link.faults().inject(FaultKind.CLOCK_SKEWED) ? anySkew() : 0;
  }

  private long anySkew() {
    return link.faults().millis(-MAX_SKEW, MAX_SKEW);
  }

  @Override
  public Instant instant() {
    if (link.faults().hasEnded()) {
      skew = 0;
    } else if (link.faults().inject(FaultKind.CLOCK_STEPPED)) {
      skew = anySkew();
    }
    long shown = link.simulator().now() + skew;
    Task reader = link.simulator().current();
    reader.latestClock = Math.max(reader.latestClock, shown);
    return Instant.ofEpochMilli(shown);
  }
}
