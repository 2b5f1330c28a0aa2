package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiresTest {

  private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");
  private static final AtTimes ONCE = new AtTimes(NEW_YEAR);
  private static final CronTimes DAILY =
      CronTimes.parse("0 0 3 * * ?", Dialect.QUARTZ, ZoneOffset.UTC, Dst.DEFAULT);

  @Test
  void aSingleTimeFiresOnce() {
    assertThat(ONCE.next(NEW_YEAR.minusNanos(1))).contains(new Fire(NEW_YEAR, null));
    assertThat(ONCE.next(NEW_YEAR)).isEmpty();
    assertThat(ONCE.previous(NEW_YEAR)).isEmpty();
    assertThat(ONCE.previous(NEW_YEAR.plusNanos(1))).contains(new Fire(NEW_YEAR, null));
    assertThat(ONCE.describe()).isEqualTo("Once at 2026-01-01T00:00:00Z");
    assertThat(new AtTimes(NEW_YEAR.plusNanos(999_999)).time()).isEqualTo(NEW_YEAR);
  }

  @Test
  void theNextOfSeveralIsTheEarliest() {
    List<FireTimes> both = List.of(DAILY, ONCE);
    assertThat(Fires.next(both, NEW_YEAR.minusSeconds(1)).map(Fire::at)).contains(NEW_YEAR);
    assertThat(Fires.next(both, NEW_YEAR).map(Fire::at))
        .contains(NEW_YEAR.plus(Duration.ofHours(3)));
    assertThat(Fires.next(List.of(ONCE), NEW_YEAR)).isEmpty();
    assertThat(Fires.next(List.of(), NEW_YEAR)).isEmpty();
  }

  @Test
  void thePreviousOfSeveralIsTheLatest() {
    List<FireTimes> both = List.of(DAILY, ONCE);
    assertThat(Fires.previous(both, NEW_YEAR).map(Fire::at))
        .contains(NEW_YEAR.minus(Duration.ofHours(21)));
    assertThat(Fires.previous(both, NEW_YEAR.plusSeconds(1)).map(Fire::at)).contains(NEW_YEAR);
    assertThat(Fires.previous(List.of(ONCE), NEW_YEAR)).isEmpty();
  }

  @Test
  void aWindowReturnsALimitedNumberOfFires() {
    Instant end = NEW_YEAR.plus(Duration.ofDays(10));
    assertThat(Fires.within(DAILY, NEW_YEAR, end, 3)).hasSize(3);
    assertThat(Fires.within(DAILY, NEW_YEAR, end, 100)).hasSize(10);
    assertThat(Fires.within(DAILY, NEW_YEAR, end, 0)).isEmpty();
    assertThat(Fires.within(ONCE, NEW_YEAR.minusSeconds(1), NEW_YEAR, 5)).hasSize(1);
  }
}
