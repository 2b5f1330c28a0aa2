package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * Fires at {@code anchor} + k·{@code every} for k = 0, 1, 2 and so on, in real time.
 *
 * @param every at least a second, in whole milliseconds
 * @param anchor the first fire, truncated to milliseconds
 */
public record RateTimes(Duration every, Instant anchor) implements FireTimes {

  /**
   * No fire is at or after this instant, because the id of its job could not contain its instant.
   */
  static final Instant END = Instant.parse("5188-01-01T00:00:00Z");

  public RateTimes {
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("'%s': a rate must be at least PT1S".formatted(every));
    }
    if (every.toNanosPart() % 1_000_000 != 0) {
      throw new IllegalArgumentException(
          "'%s': a rate must be whole milliseconds, like PT1.5S".formatted(every));
    }
    anchor = anchor.truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public Optional<Fire> next(Instant instant) {
    if (instant.isBefore(anchor)) {
      return Optional.of(new Fire(anchor, null));
    }
    Instant last = lastUntil(instant);
    boolean hasNext = every.compareTo(Duration.between(last, END)) <= 0;
    return hasNext ? Optional.of(new Fire(last.plus(every), null)) : Optional.empty();
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    return instant.isAfter(anchor)
        ? Optional.of(new Fire(lastUntil(instant.minusNanos(1)), null))
        : Optional.empty();
  }

  @Override
  public String describe() {
    if (every.toNanosPart() != 0) {
      return "Every %d milliseconds".formatted(every.toMillis());
    }
    for (ChronoUnit unit :
        new ChronoUnit[] {ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES}) {
      long seconds = unit.getDuration().toSeconds();
      if (every.toSeconds() % seconds == 0) {
        return inWords(every.toSeconds() / seconds, unit);
      }
    }
    return inWords(every.toSeconds(), ChronoUnit.SECONDS);
  }

  /** The last fire at or before {@code instant}; {@code instant} must not be before the anchor. */
  private Instant lastUntil(Instant instant) {
    long k = Duration.between(anchor, instant).dividedBy(every);
    return anchor.plus(every.multipliedBy(k));
  }

  private static String inWords(long count, ChronoUnit unit) {
    String name = unit.name().toLowerCase(Locale.ROOT);
    return count == 1
        ? "Every " + name.substring(0, name.length() - 1)
        : "Every %d %s".formatted(count, name);
  }
}
