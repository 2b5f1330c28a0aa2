package dev.carillon.time;

import java.time.Instant;
import java.util.Optional;

/**
 * The fires of other times, except those that are excluded. A search stops after {@link
 * #MOST_STRETCHES} stretches without a fire.
 */
public record ExcludingTimes(FireTimes all, Exclusion exclusion) implements FireTimes {

  /** The number is enough for more than five years of a daily fire that is excluded on each day. */
  public static final int MOST_STRETCHES = 2_000;

  @Override
  public Optional<Fire> next(Instant instant) {
    Optional<Fire> fire = all.next(instant);
    for (int stretches = 0; fire.isPresent() && stretches < MOST_STRETCHES; stretches++) {
      Instant at = fire.get().at();
      Optional<Exclusion.Excluded> excluded = exclusion.around(at);
      if (excluded.isEmpty()) {
        return fire;
      }
      Instant last = excluded.get().to().minusNanos(1);
      fire = all.next(last.isAfter(at) ? last : at);
    }
    return Optional.empty();
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    Optional<Fire> fire = all.previous(instant);
    for (int stretches = 0; fire.isPresent() && stretches < MOST_STRETCHES; stretches++) {
      Optional<Exclusion.Excluded> excluded = exclusion.around(fire.get().at());
      if (excluded.isEmpty()) {
        return fire;
      }
      fire = all.previous(excluded.get().from());
    }
    return Optional.empty();
  }

  @Override
  public String describe() {
    return all.describe();
  }
}
