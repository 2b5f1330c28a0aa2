package dev.carillon.cli.session;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The clock and the zone of this machine. The zone is determined on first use, because that takes
 * time.
 */
final class LocalClock extends Clock {

  LocalClock() {}

  @Override
  public ZoneId getZone() {
    return ZoneId.systemDefault();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return Clock.system(zone);
  }

  @Override
  public Instant instant() {
    return Clock.systemUTC().instant();
  }
}
