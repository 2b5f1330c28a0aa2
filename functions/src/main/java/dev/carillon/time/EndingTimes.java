package dev.carillon.time;

import java.time.Instant;
import java.util.Optional;

/** Fire times that stop at an instant. */
public record EndingTimes(FireTimes all, Instant end) implements FireTimes {

  /**
   * @param end the last possible instant of a fire; {@link Instant#MAX} for no end
   */
  public static FireTimes of(FireTimes all, Instant end) {
    return end.equals(Instant.MAX) ? all : new EndingTimes(all, end);
  }

  @Override
  public Optional<Fire> next(Instant instant) {
    return all.next(instant).filter(fire -> !fire.at().isAfter(end));
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    return all.previous(instant.isAfter(end) ? end.plusMillis(1) : instant);
  }

  @Override
  public String describe() {
    return all.describe();
  }
}
