package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WindowTimesTest {

  private static final int HOUR = 3_600;
  private static final Set<DayOfWeek> ALL = EnumSet.allOf(DayOfWeek.class);

  private static boolean isOpen(Window window, String instant) {
    return WindowTimes.isOpen(window, Instant.parse(instant).toEpochMilli());
  }

  @Test
  void itIsOpenFromTheFirstInstantUpToTheLast() {
    Window day = new Window(9 * HOUR, 17 * HOUR, "UTC", ALL, false);
    assertThat(isOpen(day, "2026-03-02T08:59:59.999Z")).isFalse();
    assertThat(isOpen(day, "2026-03-02T09:00:00Z")).isTrue();
    assertThat(isOpen(day, "2026-03-02T16:59:59.999Z")).isTrue();
    assertThat(isOpen(day, "2026-03-02T17:00:00Z")).isFalse();
  }

  @Test
  void aWindowOverMidnightBelongsToTheDayOnWhichItOpens() {
    Window night = new Window(22 * HOUR, 6 * HOUR, "UTC", Set.of(DayOfWeek.MONDAY), false);
    assertThat(isOpen(night, "2026-03-02T05:00:00Z")).isFalse();
    assertThat(isOpen(night, "2026-03-02T22:00:00Z")).isTrue();
    assertThat(isOpen(night, "2026-03-03T05:59:59Z")).isTrue();
    assertThat(isOpen(night, "2026-03-03T22:00:00Z")).isFalse();
  }

  @Test
  void itOpensAfterAGapAtTheFirstInstantInside() {
    Window gap = new Window(2 * HOUR + HOUR / 2, 4 * HOUR, "Europe/Berlin", ALL, false);
    long before = Instant.parse("2026-03-29T00:59:00Z").toEpochMilli();
    assertThat(Instant.ofEpochMilli(WindowTimes.opening(gap, before)))
        .isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
  }

  @Test
  void itIsCertainlyClosedOnlyIfItNeverOpensMeanwhile() {
    Window day = new Window(9 * HOUR, 17 * HOUR, "UTC", ALL, false);
    long nine = Instant.parse("2026-03-02T09:00:00Z").toEpochMilli();
    assertThat(WindowTimes.isClosed(day, nine - 5_000, nine - 1)).isTrue();
    assertThat(WindowTimes.isClosed(day, nine - 5_000, nine)).isFalse();
    assertThat(WindowTimes.staysOpen(day, nine, nine + 5_000)).isTrue();
    assertThat(WindowTimes.staysOpen(day, nine - 1, nine + 5_000)).isFalse();
  }
}
