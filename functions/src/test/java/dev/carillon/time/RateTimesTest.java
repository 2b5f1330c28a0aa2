package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateTimesTest {

  private static final Instant ANCHOR = Instant.parse("2026-01-01T00:00:00.250Z");

  @ParameterizedTest
  @CsvSource({
    "2025-12-31T00:00:00Z,           2026-01-01T00:00:00.250Z,",
    "2026-01-01T00:00:00.249999999Z, 2026-01-01T00:00:00.250Z,",
    "2026-01-01T00:00:00.250Z,       2026-01-01T00:15:00.250Z,",
    "2026-01-01T00:00:00.250000001Z, 2026-01-01T00:15:00.250Z, 2026-01-01T00:00:00.250Z",
    "2026-01-01T00:15:00.250Z,       2026-01-01T00:30:00.250Z, 2026-01-01T00:00:00.250Z",
    "2026-01-01T00:15:00.251Z,       2026-01-01T00:30:00.250Z, 2026-01-01T00:15:00.250Z"
  })
  void firesAtTheAnchorAndAtMultiplesAfterIt(Instant from, Instant next, Instant previous) {
    RateTimes times = new RateTimes(Duration.ofMinutes(15), ANCHOR);
    assertThat(times.next(from).map(Fire::at)).contains(next);
    assertThat(times.previous(from).map(Fire::at)).isEqualTo(Optional.ofNullable(previous));
  }

  @Test
  void doesNotDrift() {
    RateTimes times = new RateTimes(Duration.ofMillis(1_001), ANCHOR);
    Instant far = ANCHOR.plusMillis(1_001L * 1_000_000_000L);
    assertThat(times.next(far.minusMillis(1)).map(Fire::at)).contains(far);
    assertThat(times.previous(far.plusMillis(1)).map(Fire::at)).contains(far);
    assertThat(times.previous(far).map(Fire::at)).contains(far.minusMillis(1_001));
  }

  @Test
  void endsAtTheGreatestInstant() {
    RateTimes longest = new RateTimes(Duration.ofSeconds(Long.MAX_VALUE), ANCHOR);
    assertThat(longest.next(Instant.MIN).map(Fire::at)).contains(ANCHOR);
    assertThat(longest.next(ANCHOR)).isEmpty();
    assertThat(longest.previous(Instant.MAX).map(Fire::at)).contains(ANCHOR);
    RateTimes shortest = new RateTimes(Duration.ofSeconds(1), Instant.MIN);
    assertThat(shortest.next(Instant.MAX)).isEmpty();
    assertThat(shortest.previous(Instant.MIN)).isEmpty();
    assertThat(shortest.previous(Instant.MAX).map(Fire::at))
        .contains(Instant.MAX.minusNanos(999_999_999));
  }

  @Test
  void refusesShortAndFractionalRates() {
    assertThatThrownBy(() -> new RateTimes(Duration.ofMillis(999), ANCHOR))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'PT0.999S': a rate must be at least PT1S");
    assertThatThrownBy(() -> new RateTimes(Duration.ofSeconds(-60), ANCHOR))
        .hasMessageContaining("at least PT1S");
    assertThatThrownBy(() -> new RateTimes(Duration.ofSeconds(1, 1), ANCHOR))
        .hasMessage("'PT1.000000001S': a rate must be whole milliseconds, like PT1.5S");
  }

  @ParameterizedTest
  @CsvSource({
    "PT15M, Every 15 minutes",
    "PT1M, Every minute",
    "PT90S, Every 90 seconds",
    "PT1S, Every second",
    "PT1H, Every hour",
    "PT36H, Every 36 hours",
    "P1D, Every day",
    "P7D, Every 7 days",
    "PT1.5S, Every 1500 milliseconds"
  })
  void isDescribedInWords(Duration every, String words) {
    assertThat(new RateTimes(every, ANCHOR).describe()).isEqualTo(words);
  }

  @Test
  void noFireIsLaterThanTheIdOfAJobCanHold() {
    RateTimes times = new RateTimes(Duration.ofDays(3_660), ANCHOR);
    assertThat(times.next(RateTimes.END.minusMillis(1))).isEmpty();
    assertThat(times.next(Instant.parse("5170-01-01T00:00:00Z"))).isPresent();
  }
}
