package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.time.Exclusion.Excluded;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ExcludingTimesTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /** Excludes {@code on} seconds of each {@code of}. */
  private static Exclusion periodic(long on, long of) {
    return instant -> {
      long second = Duration.between(START, instant).toSeconds();
      Instant from = START.plusSeconds(Math.floorDiv(second, of) * of);
      return Math.floorMod(second, of) < on
          ? Optional.of(new Excluded(from, from.plusSeconds(on)))
          : Optional.empty();
    };
  }

  @Property
  void leavesOutExactlyTheExcludedFires(
      @ForAll @IntRange(min = 1, max = 40) int every,
      @ForAll @IntRange(min = 0, max = 20) int on,
      @ForAll @IntRange(min = 1, max = 100) int at) {
    FireTimes all = new RateTimes(Duration.ofSeconds(every), START);
    Exclusion exclusion = Exclusion.any(List.of(periodic(on, 21), periodic(on / 2, 50)));
    FireTimes rest = new ExcludingTimes(all, exclusion);
    Instant from = START.plusSeconds(1_000L + at);
    Optional<Instant> next = all.next(from).map(Fire::at);
    for (int i = 0;
        i < 3_000 && next.isPresent() && exclusion.around(next.get()).isPresent();
        i++) {
      next = all.next(next.get()).map(Fire::at);
    }
    assertThat(rest.next(from).map(Fire::at))
        .isEqualTo(next.filter(fire -> exclusion.around(fire).isEmpty()));
    Optional<Instant> previous = all.previous(from).map(Fire::at);
    while (previous.isPresent() && exclusion.around(previous.get()).isPresent()) {
      previous = all.previous(previous.get()).map(Fire::at);
    }
    assertThat(rest.previous(from).map(Fire::at)).isEqualTo(previous);
  }

  @Test
  void longStretchesAreSkippedInOneStep() {
    AtomicInteger asked = new AtomicInteger();
    Exclusion month =
        instant -> {
          asked.incrementAndGet();
          Instant end = START.plus(Duration.ofDays(31));
          return instant.isBefore(end) && !instant.isBefore(START)
              ? Optional.of(new Excluded(START, end))
              : Optional.empty();
        };
    FireTimes times =
        new ExcludingTimes(new RateTimes(Duration.ofSeconds(1), START.minusSeconds(9)), month);
    assertThat(times.next(START).orElseThrow().at()).isEqualTo("2026-04-01T00:00:00Z");
    assertThat(times.previous(START.plusSeconds(99)).orElseThrow().at())
        .isEqualTo("2026-02-28T23:59:59Z");
    assertThat(asked).hasValue(4);
  }

  @Test
  void theSearchEndsIfEverythingIsExcluded() {
    Exclusion all = instant -> Optional.of(new Excluded(instant, instant.plusSeconds(1)));
    FireTimes times = new ExcludingTimes(new RateTimes(Duration.ofSeconds(1), START), all);
    assertThat(times.next(START)).isEmpty();
    assertThat(times.previous(START.plus(Duration.ofDays(9)))).isEmpty();
  }
}
