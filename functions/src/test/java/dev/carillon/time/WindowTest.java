package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fires in (start, end]. Now is 2018-03-27T19:00-07:00; crons are in UTC. */
class WindowTest {

  private static final Instant NOW = Instant.parse("2018-03-28T02:00:00Z");
  private static final Instant HALF_AN_HOUR_AGO = NOW.minus(Duration.ofMinutes(30));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0,30 * * * ?        | 2018-03-28T02:00:00Z
          0 0 * * * ?           | 2018-03-28T02:00:00Z
          0 45 * * * ?          | 2018-03-28T01:45:00Z
          0 0,15,30,45 * * * ?  | 2018-03-28T01:45:00Z 2018-03-28T02:00:00Z
          0 15 * * * ?          |
          """)
  void excludesItsStartAndIncludesItsEnd(String expression, String expected) {
    assertThat(fires(expression, HALF_AN_HOUR_AGO, NOW)).isEqualTo(instants(expected));
  }

  @Test
  void ofAnHourContainsTheFireAtAQuarterPast() {
    assertThat(fires("0 15 * * * ?", NOW.minus(Duration.ofHours(1)), NOW))
        .isEqualTo(instants("2018-03-28T01:15:00Z"));
  }

  @Test
  void isExactToTheMillisecond() {
    assertThat(fires("0 0 * * * ?", HALF_AN_HOUR_AGO, NOW.minusMillis(1))).isEmpty();
    assertThat(fires("0 0 * * * ?", NOW.minusMillis(1), NOW)).containsExactly(NOW);
    assertThat(fires("0 0 * * * ?", NOW, NOW)).isEmpty();
    assertThat(
            fires(
                "0 0 * * * ?",
                Instant.parse("2018-03-28T01:30:00.500Z"),
                Instant.parse("2018-03-28T02:00:00.400Z")))
        .containsExactly(NOW);
  }

  @Test
  void ofAnHourContainsSixtyMinutes() {
    List<Instant> fires = fires("0 * * * * ?", NOW.minus(Duration.ofHours(1)), NOW);
    assertThat(fires).hasSize(60);
    assertThat(fires.get(0)).isEqualTo(Instant.parse("2018-03-28T01:01:00Z"));
    assertThat(fires.get(59)).isEqualTo(NOW);
  }

  @Test
  void ofMoreThanAnHourLosesNothing() {
    assertThat(fires("0 * * * * ?", NOW.minus(Duration.ofMinutes(61)), NOW)).hasSize(61);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 3 * * ?        | 2018-03-25T02:05:00Z | 2018-03-28T02:05:00Z | 2018-03-25T03:00:00Z 2018-03-26T03:00:00Z 2018-03-27T03:00:00Z
          0 0 17 ? * MON-FRI | 2018-03-23T16:00:00Z | 2018-03-26T17:00:00Z | 2018-03-23T17:00:00Z 2018-03-26T17:00:00Z
          0 0 3 L * ?        | 2018-02-28T00:00:00Z | 2018-03-01T00:00:00Z | 2018-02-28T03:00:00Z
          0 30 * * * ? 2018  | 2018-03-28T00:00:00Z | 2018-03-28T02:00:00Z | 2018-03-28T00:30:00Z 2018-03-28T01:30:00Z
          0 30 * * * ? 2019  | 2018-03-01T00:00:00Z | 2018-04-01T00:00:00Z |
          """)
  void ofDaysContainsItsFiresInOrder(
      String expression, Instant start, Instant end, String expected) {
    assertThat(fires(expression, start, end)).isEqualTo(instants(expected));
  }

  @ParameterizedTest
  @CsvSource({"UTC", "America/Los_Angeles"})
  void overTheSpringGapContainsEachRealHalfHour(ZoneId zone) {
    FireTimes times = CronTimes.parse("0 0,30 * * * ?", Dialect.QUARTZ, zone, Dst.DEFAULT);
    assertThat(
            fires(
                times,
                Instant.parse("2018-03-11T09:00:00Z"),
                Instant.parse("2018-03-11T11:00:00Z")))
        .isEqualTo(
            instants(
                "2018-03-11T09:30:00Z 2018-03-11T10:00:00Z"
                    + " 2018-03-11T10:30:00Z 2018-03-11T11:00:00Z"));
  }

  private static List<Instant> fires(String expression, Instant start, Instant end) {
    return fires(
        CronTimes.parse(expression, Dialect.QUARTZ, ZoneOffset.UTC, Dst.DEFAULT), start, end);
  }

  private static List<Instant> fires(FireTimes times, Instant start, Instant end) {
    return Fires.within(times, start, end, 1_000).stream().map(Fire::at).toList();
  }

  private static List<Instant> instants(String text) {
    return text == null
        ? List.of()
        : List.of(text.split(" ")).stream().map(Instant::parse).toList();
  }
}
