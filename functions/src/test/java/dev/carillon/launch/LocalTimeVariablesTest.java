package dev.carillon.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalTimeVariablesTest {

  @ParameterizedTest
  @CsvSource({
    "endOfPreviousDay,     2018-03-20T23:59:59.999-07:00",
    "processTime,          2018-03-21T17:09:00.000-07:00",
    "startOfDay,           2018-03-21T00:00:00.000-07:00",
    "startOfDayOneWeekAgo, 2018-03-14T00:00:00.000-07:00",
    "startOfHour,          2018-03-21T17:00:00.000-07:00",
    "startOfPreviousDay,   2018-03-20T00:00:00.000-07:00",
    "todaysDate,           2018-03-21",
    "yesterdaysDate,       2018-03-20",
    "scheduledFor,         2018-03-21T17:09:00.000-07:00",
    "triggeredAt,          2018-03-21T17:09:01.250-07:00",
  })
  void variablesOfAFireOnAMarchAfternoonInSeattle(String variable, String value) {
    assertThat(text(variable, "2018-03-22T00:09:00Z", "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "endOfPreviousDay,     2018-03-26T23:59:59.999-07:00",
    "processTime,          2018-03-27T21:21:45.862-07:00",
    "startOfDay,           2018-03-27T00:00:00.000-07:00",
    "startOfHour,          2018-03-27T21:00:00.000-07:00",
    "startOfDayOneWeekAgo, 2018-03-20T00:00:00.000-07:00",
    "startOfPreviousDay,   2018-03-26T00:00:00.000-07:00",
    "todaysDate,           2018-03-27",
    "yesterdaysDate,       2018-03-26",
  })
  void millisecondsAreKeptAndTheLocalDayCounts(String variable, String value) {
    assertThat(text(variable, "2018-03-28T04:21:45.862Z", "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "startOfHour,          2018-03-11T03:00:00.000-07:00",
    "startOfDay,           2018-03-11T00:00:00.000-08:00",
    "endOfPreviousDay,     2018-03-10T23:59:59.999-08:00",
    "startOfPreviousDay,   2018-03-10T00:00:00.000-08:00",
    "startOfDayOneWeekAgo, 2018-03-04T00:00:00.000-08:00",
  })
  void variablesOfTheFirstInstantAfterTheSpringGap(String variable, String value) {
    assertThat(text(variable, "2018-03-11T10:00:00Z", "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "startOfHour,          2018-11-04T01:00:00.000-08:00",
    "startOfDay,           2018-11-04T00:00:00.000-07:00",
    "endOfPreviousDay,     2018-11-03T23:59:59.999-07:00",
    "startOfPreviousDay,   2018-11-03T00:00:00.000-07:00",
    "startOfDayOneWeekAgo, 2018-10-28T00:00:00.000-07:00",
  })
  void variablesOfTheSecondHalfPastOneOfTheAutumnNight(String variable, String value) {
    assertThat(text(variable, "2018-11-04T09:30:00Z", "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "2018-03-11T09:30:00Z, 2018-03-11T01:00:00.000-08:00",
    "2018-03-11T10:00:00Z, 2018-03-11T03:00:00.000-07:00",
    "2018-03-11T10:30:00Z, 2018-03-11T03:00:00.000-07:00",
    "2018-03-11T11:00:00Z, 2018-03-11T04:00:00.000-07:00",
    "2018-11-04T08:30:00Z, 2018-11-04T01:00:00.000-07:00",
  })
  void startOfHourAcrossTheSpringGapAndInTheFirstRepeatedHour(String instant, String value) {
    assertThat(text("startOfHour", instant, "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    // 20:00 of the previous day, on three consecutive days
    "2018-03-25T03:00:00Z, 2018-03-23",
    "2018-03-26T03:00:00Z, 2018-03-24",
    "2018-03-27T03:00:00Z, 2018-03-25",
  })
  void yesterdaysDateIsTheDayBeforeTheLocalOne(String instant, String value) {
    assertThat(text("yesterdaysDate", instant, "America/Los_Angeles")).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    // The clocks of Sao Paulo moved from 00:00 to 01:00.
    "America/Sao_Paulo, 2018-11-04T15:00:00Z, startOfDay,           2018-11-04T01:00:00.000-02:00",
    "America/Sao_Paulo, 2018-11-04T15:00:00Z, endOfPreviousDay,     2018-11-03T23:59:59.999-03:00",
    "America/Sao_Paulo, 2018-11-05T15:00:00Z, startOfPreviousDay,   2018-11-04T01:00:00.000-02:00",
    "America/Sao_Paulo, 2018-11-11T15:00:00Z, startOfDayOneWeekAgo, 2018-11-04T01:00:00.000-02:00",
    // In Havana, 00:00 to 01:00 occurred twice.
    "America/Havana,    2018-11-04T15:00:00Z, startOfDay,           2018-11-04T00:00:00.000-04:00",
    "America/Havana,    2018-11-04T05:30:00Z, startOfHour,          2018-11-04T00:00:00.000-05:00",
    // Samoa skipped 30 December 2011.
    "Pacific/Apia,      2011-12-30T20:00:00Z, todaysDate,           2011-12-31",
    "Pacific/Apia,      2011-12-30T20:00:00Z, yesterdaysDate,       2011-12-29",
    "Pacific/Apia,      2011-12-30T20:00:00Z, startOfPreviousDay,   2011-12-29T00:00:00.000-10:00",
    "Pacific/Apia,      2011-12-30T20:00:00Z, endOfPreviousDay,     2011-12-29T23:59:59.999-10:00",
    "Asia/Kathmandu,    2018-03-21T17:09:00Z, startOfHour,          2018-03-21T22:00:00.000+05:45",
    "Europe/London,     2018-01-21T17:09:00Z, processTime,          2018-01-21T17:09:00.000Z",
    "UTC,               2018-03-01T00:00:00Z, startOfPreviousDay,   2018-02-28T00:00:00.000Z",
    "UTC,               2018-03-01T00:00:00Z, endOfPreviousDay,     2018-02-28T23:59:59.999Z",
  })
  void everyZoneHasItsOwnDays(String zone, String instant, String variable, String value) {
    assertThat(text(variable, instant, zone)).isEqualTo(value);
  }

  @Test
  void previousScheduledForIsInTheSchedulesZone() {
    Launch launch = Launch.ofText("${previousScheduledFor}");
    launch.previous = Optional.of(Instant.parse("2018-03-11T09:30:00Z"));

    assertThat(launch.body()).isEqualTo("2018-03-11T01:30:00.000-08:00");
  }

  private static String text(String variable, String instant, String zone) {
    return Launch.ofText("${" + variable + "}").at(instant).in(zone).body();
  }
}
