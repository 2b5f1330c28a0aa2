package dev.carillon.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.constraint.Verdict.Never;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.constraint.Verdict.Satisfied;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeWindowTest {

  private static final ZoneId LOS_ANGELES = ZoneId.of("America/Los_Angeles");

  private static TimeWindow window(String from, String to, Set<DayOfWeek> days) {
    return new TimeWindow(ClockTime.parse(from), ClockTime.parseEnd(to), null, days, OnUnmet.WAIT);
  }

  private static Instant look(TimeWindow window, ZoneId zone, Instant now) {
    Verdict verdict = new Constraints(List.of(window), zone).byClock(now, now);
    return verdict instanceof NotYet wait && wait.checkAt() != null ? wait.checkAt() : now;
  }

  /** Cases 1 to 3 of the CDAP documents, and some of the same kind; local times of Los Angeles. */
  @ParameterizedTest
  @CsvSource({
    "16:00, 17:00,    2017-05-09T15:24,         2017-05-09T16:00",
    "16:00, 17:00,    2017-05-09T15:59:59.999,  2017-05-09T16:00",
    "16:00, 17:00,    2017-05-09T16:00,         open",
    "16:00, 17:00,    2017-05-09T16:59:59.999,  open",
    "16:00, 17:00,    2017-05-09T17:00,         2017-05-10T16:00",
    "22:00, 06:00,    2017-05-09T15:24,         2017-05-09T22:00",
    "22:00, 06:00,    2017-05-09T22:00,         open",
    "22:00, 06:00,    2017-05-09T05:00,         open",
    "22:00, 06:00,    2017-05-09T06:00,         2017-05-09T22:00",
    "22:00, 24:00,    2017-05-09T23:59:59.999,  open",
    "22:00, 24:00,    2017-05-10T00:00,         2017-05-10T22:00",
    "00:00, 24:00,    2017-05-10T00:00,         open",
    "16:00:30, 16:00:31, 2017-05-09T16:00:29.9, 2017-05-09T16:00:30",
    "16:00:30, 16:00:31, 2017-05-09T16:00:30.9, open",
    "16:00:30, 16:00:31, 2017-05-09T16:00:31,   2017-05-10T16:00:30",
    // A gap on 2017-03-12 from 02:00 to 03:00.
    "02:30, 03:30,    2017-03-12T01:00,         2017-03-12T03:00",
    "02:15, 02:45,    2017-03-12T01:00,         2017-03-13T02:15",
    "02:00, 05:00,    2017-03-12T01:59,         2017-03-12T03:00",
    "03:00, 05:00,    2017-03-12T01:59,         2017-03-12T03:00",
  })
  void opensToTheMillisecond(String from, String to, String now, String opening) {
    TimeWindow window = window(from, to, Days.ALL);
    Instant instant = instant(now);
    assertThat(look(window, LOS_ANGELES, instant))
        .isEqualTo(opening.equals("open") ? instant : instant(opening));
    assertThat(window.isOpen(instant, LOS_ANGELES)).isEqualTo(opening.equals("open"));
  }

  private static Instant instant(String local) {
    return LocalDateTime.parse(local).atZone(LOS_ANGELES).toInstant();
  }

  /** 2017-05-09 is a Tuesday. */
  @ParameterizedTest
  @CsvSource({
    "22:00, 06:00, MONDAY,    2017-05-09T05:59,  open",
    "22:00, 06:00, TUESDAY,   2017-05-09T05:59,  2017-05-09T22:00",
    "22:00, 06:00, TUESDAY,   2017-05-10T05:59,  open",
    "22:00, 06:00, TUESDAY,   2017-05-10T06:00,  2017-05-16T22:00",
    "08:00, 18:00, WEDNESDAY, 2017-05-09T12:00,  2017-05-10T08:00",
    "08:00, 18:00, TUESDAY,   2017-05-09T18:00,  2017-05-16T08:00",
    "02:15, 02:45, SUNDAY,    2017-03-11T12:00,  2017-03-19T02:15",
  })
  void daysNameTheDayOfTheOpening(
      String from, String to, DayOfWeek day, String now, String opening) {
    Instant instant = instant(now);
    assertThat(look(window(from, to, Set.of(day)), LOS_ANGELES, instant))
        .isEqualTo(opening.equals("open") ? instant : instant(opening));
  }

  @Test
  void isOpenTwiceInARepeatedHour() {
    TimeWindow window = window("01:15", "01:45", Days.ALL);
    Instant first = Instant.parse("2017-11-05T08:15:00Z");
    assertThat(look(window, LOS_ANGELES, first.minusMillis(1))).isEqualTo(first);
    assertThat(look(window, LOS_ANGELES, first.plusSeconds(1_800)))
        .isEqualTo(first.plusSeconds(3_600));
    assertThat(look(window, LOS_ANGELES, first.plusSeconds(5_400)))
        .isEqualTo(Instant.parse("2017-11-06T09:15:00Z"));
  }

  @Test
  void opensAgainWhenClocksAreSetBackIntoIt() {
    TimeWindow window = window("00:30", "01:30", Days.ALL);
    Instant closed = Instant.parse("2017-11-05T08:45:00Z");
    assertThat(window.isOpen(closed, LOS_ANGELES)).isFalse();
    assertThat(look(window, LOS_ANGELES, closed)).isEqualTo(Instant.parse("2017-11-05T09:00:00Z"));
  }

  /** Samoa skipped Friday, 30 December 2011. */
  @Test
  void waitsOverADayThatTheZoneSkips() {
    ZoneId apia = ZoneId.of("Pacific/Apia");
    TimeWindow fridays = window("09:00", "10:00", Set.of(DayOfWeek.FRIDAY));
    Instant before = ZonedDateTime.parse("2011-12-29T12:00-10:00").toInstant();
    assertThat(look(fridays, apia, before))
        .isEqualTo(ZonedDateTime.parse("2012-01-06T09:00+14:00").toInstant());
  }

  /** Compares with an oracle that tries every second near changes of the clock. */
  @Test
  void nextOpeningIsTheFirstSecondInsideTheWindow() {
    assertNextOpeningIsTheFirstSecondInside(new Random(7), 150);
  }

  @Tag("proof")
  @Test
  void nextOpeningIsTheFirstSecondInsideEachOfManyWindows() {
    assertNextOpeningIsTheFirstSecondInside(new Random(7), 1_500);
  }

  private static void assertNextOpeningIsTheFirstSecondInside(Random random, int windows) {
    List<ZonedDateTime> changes =
        List.of(
            ZonedDateTime.parse("2026-03-29T00:00Z[Europe/Berlin]"),
            ZonedDateTime.parse("2026-10-25T00:00Z[Europe/Berlin]"),
            ZonedDateTime.parse("2026-04-04T14:30Z[Australia/Lord_Howe]"),
            ZonedDateTime.parse("2026-10-03T15:00Z[Australia/Lord_Howe]"),
            ZonedDateTime.parse("2025-11-01T03:00Z[America/Havana]"),
            ZonedDateTime.parse("2026-03-08T04:00Z[America/Havana]"));
    for (int round = 0; round < windows; round++) {
      ZonedDateTime change = changes.get(random.nextInt(changes.size()));
      ZoneId zone = change.getZone();
      Instant now = change.toInstant().plusSeconds(random.nextInt(6 * 3_600) - 3 * 3_600);
      int from = LocalTime.ofInstant(now, zone).toSecondOfDay() + random.nextInt(14_400) - 7_200;
      int to = from + 1 + random.nextInt(5_400);
      EnumSet<DayOfWeek> days = EnumSet.allOf(DayOfWeek.class);
      TimeWindow window =
          new TimeWindow(
              Math.floorMod(from, TimeWindow.END_OF_DAY),
              Math.floorMod(to, TimeWindow.END_OF_DAY),
              null,
              days,
              OnUnmet.WAIT);
      Instant expected = now;
      while (!window.isOpen(expected, zone)) {
        expected = expected.plusSeconds(1);
      }
      assertThat(look(window, zone, now))
          .as("%s in %s at %s", window, zone, now)
          .isEqualTo(expected);
    }
  }

  @Test
  void windowsOnDifferentDaysAreWaitedForUntilAllAreOpen() {
    Constraints both =
        new Constraints(
            List.of(
                window("08:00", "18:00", Set.of(DayOfWeek.MONDAY, DayOfWeek.WEDNESDAY)),
                window("16:00", "20:00", Set.of(DayOfWeek.TUESDAY, DayOfWeek.WEDNESDAY))),
            LOS_ANGELES);
    Instant monday = instant("2017-05-08T09:00");
    assertThat(both.byClock(monday, monday))
        .isInstanceOfSatisfying(
            NotYet.class, it -> assertThat(it.checkAt()).isEqualTo(instant("2017-05-10T16:00")));
  }

  @Test
  void windowsThatAreNeverOpenTogetherEndTheJob() {
    Constraints both =
        new Constraints(
            List.of(window("08:00", "10:00", Days.ALL), window("10:00", "12:00", Days.ALL)),
            LOS_ANGELES);
    Instant now = instant("2017-05-08T09:00");
    assertThat(both.byClock(now, now))
        .isInstanceOfSatisfying(
            Never.class, it -> assertThat(it.reason()).contains("never open at the same time"));
    assertThat(both.canHold(now, true)).isFalse();
  }

  /** Case 4. */
  @Test
  void delayIsCountedFromTheTrigger() {
    Constraints delay = new Constraints(List.of(new Delay(Duration.ofMinutes(10))), LOS_ANGELES);
    Instant satisfied = instant("2017-05-08T09:00");
    assertThat(delay.byClock(satisfied, satisfied.plusSeconds(12 * 60))).isEqualTo(new Satisfied());
    assertThat(delay.byClock(satisfied, satisfied.plusSeconds(600))).isEqualTo(new Satisfied());
    assertThat(delay.byClock(satisfied, satisfied.plusSeconds(9 * 60)))
        .isEqualTo(new NotYet(satisfied.plusSeconds(600), "its delay of PT10M has not passed"));
  }

  @Test
  void windowIsCheckedOnceTheDelayHasPassed() {
    TimeWindow night = window("22:00", "06:00", Days.ALL);
    Constraints both = new Constraints(List.of(new Delay(Duration.ofHours(2)), night), LOS_ANGELES);
    Instant satisfied = instant("2017-05-08T05:00");
    assertThat(both.byClock(satisfied, satisfied))
        .isEqualTo(new NotYet(instant("2017-05-08T22:00"), "its delay of PT2H has not passed"));
  }

  /** A window with {@code skip} is checked when the delay has passed, not when another opens. */
  @Test
  void aWindowThatOpensLaterDoesNotPutOffTheCheckOfOneWithSkip() {
    TimeWindow evening = new TimeWindow(20 * 3_600, 23 * 3_600, null, Days.ALL, OnUnmet.SKIP);
    TimeWindow night = window("22:00", "06:00", Days.ALL);
    Constraints all =
        new Constraints(List.of(new Delay(Duration.ofHours(1)), night, evening), LOS_ANGELES);
    Instant noon = instant("2017-05-08T12:00");
    Instant delayed = instant("2017-05-08T13:00");
    assertThat(all.byClock(noon, noon))
        .isInstanceOfSatisfying(NotYet.class, it -> assertThat(it.checkAt()).isEqualTo(delayed));
    assertThat(all.byClock(noon, delayed)).isInstanceOf(Never.class);
  }

  @Test
  void closedWindowWithSkipEndsTheJobOnceItsDelayHasPassed() {
    TimeWindow day = new TimeWindow(8 * 3_600, 9 * 3_600, null, Days.ALL, OnUnmet.SKIP);
    Constraints both = new Constraints(List.of(day, new Delay(Duration.ofHours(1))), LOS_ANGELES);
    Instant satisfied = instant("2017-05-08T07:30");
    assertThat(both.byClock(satisfied, satisfied)).isInstanceOf(NotYet.class);
    assertThat(both.byClock(satisfied, satisfied.plusSeconds(3_600))).isEqualTo(new Satisfied());
    assertThat(both.byClock(satisfied, satisfied.plusSeconds(5_400)))
        .isEqualTo(
            new Never("its time window from 08:00 to 09:00 in America/Los_Angeles is closed"));
  }
}
