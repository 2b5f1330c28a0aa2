package dev.carillon.time;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The single fire of an {@code at} trigger.
 *
 * @param time truncated to milliseconds
 */
public record AtTimes(Instant time) implements FireTimes {

  public AtTimes {
    time = time.truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public Optional<Fire> next(Instant instant) {
    return instant.isBefore(time) ? Optional.of(new Fire(time, null)) : Optional.empty();
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    return instant.isAfter(time) ? Optional.of(new Fire(time, null)) : Optional.empty();
  }

  @Override
  public String describe() {
    return "Once at " + time;
  }
}
