package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The fires of other times, each shifted by the same duration in real time. A fire keeps its mark
 * of a change of the clocks.
 *
 * @param offset not negative
 */
public record ShiftedTimes(FireTimes nominal, Duration offset) implements FireTimes {

  @Override
  public Optional<Fire> next(Instant instant) {
    return nominal.next(unshifted(instant)).flatMap(this::shifted);
  }

  @Override
  public Optional<Fire> previous(Instant instant) {
    return nominal.previous(unshifted(instant)).flatMap(this::shifted);
  }

  @Override
  public String describe() {
    return offset.isZero() ? nominal.describe() : nominal.describe() + ", shifted by " + offset;
  }

  private Instant unshifted(Instant instant) {
    return Duration.between(Instant.MIN, instant).compareTo(offset) < 0
        ? Instant.MIN
        : instant.minus(offset);
  }

  /** The fire, shifted by the offset; empty if its instant would be after the last possible one. */
  private Optional<Fire> shifted(Fire fire) {
    return Duration.between(fire.at(), Instant.MAX).compareTo(offset) < 0
        ? Optional.empty()
        : Optional.of(new Fire(fire.at().plus(offset), fire.shift()));
  }
}
