package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTimesTest {

  private static final Instant WEDNESDAY = Instant.parse("2024-01-31T10:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "0 2 * * 1, MONDAY",
    "0 2 * * 0, SUNDAY",
    "0 2 * * 7, SUNDAY",
    "* * * * 7, SUNDAY",
    "0 2 * * sun, SUNDAY",
    "0 2 * * SAT, SATURDAY"
  })
  void unixCountsDaysOfTheWeekFromSundayAsZero(String expression, DayOfWeek day) {
    assertThat(fires(unix(expression), 20)).allMatch(time -> time.getDayOfWeek() == day);
  }

  @Test
  void unixFiresOnEitherOfTwoRestrictedDays() {
    assertThat(fires(unix("0 2 1 * 1"), 6))
        .extracting(LocalDateTime::toString)
        .containsExactly(
            "2024-02-01T02:00",
            "2024-02-05T02:00",
            "2024-02-12T02:00",
            "2024-02-19T02:00",
            "2024-02-26T02:00",
            "2024-03-01T02:00");
  }

  @ParameterizedTest
  @CsvSource({
    "1, SUNDAY",
    "2, MONDAY",
    "3, TUESDAY",
    "4, WEDNESDAY",
    "5, THURSDAY",
    "6, FRIDAY",
    "7, SATURDAY",
    "SUN, SUNDAY",
    "mon, MONDAY",
    "Fri, FRIDAY",
    "L, SATURDAY"
  })
  void quartzCountsDaysOfTheWeekFromSundayAsOne(String value, DayOfWeek day) {
    assertThat(fires(quartz("0 0 3 ? * " + value), 10))
        .allMatch(time -> time.getDayOfWeek() == day);
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 3 L * ?, 2024-01-31T03:00 2024-02-29T03:00 2024-03-31T03:00",
    "0 0 3 L-3 * ?, 2024-01-28T03:00 2024-02-26T03:00 2024-03-28T03:00",
    "0 0 3 LW * ?, 2024-01-31T03:00 2024-02-29T03:00 2024-03-29T03:00",
    "0 0 3 15W 6-9 ?, 2024-06-14T03:00 2024-07-15T03:00 2024-08-15T03:00",
    "0 0 3 1W 6-9 ?, 2024-06-03T03:00 2024-07-01T03:00 2024-08-01T03:00",
    "0 0 3 28W 2 ?, 2024-02-28T03:00 2025-02-28T03:00 2026-02-27T03:00",
    "0 0 3 29W * ?, 2024-01-29T03:00 2024-02-29T03:00 2024-03-29T03:00",
    "0 0 3 29W 2 ?, 2024-02-29T03:00 2028-02-29T03:00 2032-02-27T03:00",
    "0 0 3 30W 2-6 ?, 2024-03-29T03:00 2024-04-30T03:00 2024-05-30T03:00",
    "0 0 3 31W * ?, 2024-01-31T03:00 2024-03-29T03:00 2024-05-31T03:00",
    "0 0 3 31W 8-12 ?, 2024-08-30T03:00 2024-10-31T03:00 2024-12-31T03:00",
    "0 0 3 ? * 6L, 2024-01-26T03:00 2024-02-23T03:00 2024-03-29T03:00",
    "0 0 3 ? * TUE#2, 2024-01-09T03:00 2024-02-13T03:00 2024-03-12T03:00",
    "0 0 3 ? * FRI-MON, 2024-01-01T03:00 2024-01-05T03:00 2024-01-06T03:00",
    "0 0 3 1 1 ? 2024-2028/2, 2024-01-01T03:00 2026-01-01T03:00 2028-01-01T03:00",
    "0 0 0 1 1 ? 2099, 2099-01-01T00:00",
    "0 0 0 ? 2 1#5, 2032-02-29T00:00 2060-02-29T00:00 2088-02-29T00:00"
  })
  void quartzSupportsLastDaysWeekdaysAndYears(String expression, String expected) {
    CronTimes times = quartz(expression);
    List<Fire> fires = Fires.within(times, Instant.parse("2023-12-31T23:00:00Z"), Instant.MAX, 3);
    assertThat(fires.stream().map(CronTimesTest::local).map(LocalDateTime::toString))
        .containsExactly(expected.split(" "));
    assertThat(times.previous(fires.get(fires.size() - 1).at().plusMillis(1)))
        .contains(fires.get(fires.size() - 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 2 31 2 ?",
        "0 0 2 30 2 ?",
        "0 0 2 30W 2 ?",
        "0 0 2 31W 4,6,9,11 ?",
        "0 0 2 29 2 ? 2025,2026",
        "0 0 0 L-31 * ?",
        "* * * * * ? 2023"
      })
  void anExpressionWithoutFurtherFiresHasNoNext(String expression) {
    CronTimes times =
        CronTimes.parse(expression, Dialect.QUARTZ, ZoneId.of("America/Los_Angeles"), Dst.DEFAULT);
    assertThat(times.next(WEDNESDAY)).isEmpty();
  }

  @Test
  void anExpressionWithoutEarlierFiresHasNoPrevious() {
    assertThat(quartz("0 0 2 31 2 ?").previous(WEDNESDAY)).isEmpty();
    assertThat(quartz("* * * * * ? 2025").previous(WEDNESDAY)).isEmpty();
    assertThat(unix("0 2 31 2 *").previous(Instant.MAX)).isEmpty();
  }

  @Test
  void distantInstantsAreSupported() {
    CronTimes times = quartz("0 0 3 1 1 ?");
    assertThat(times.next(Instant.MIN).map(Fire::at))
        .contains(Instant.parse("1970-01-01T03:00:00Z"));
    assertThat(times.previous(Instant.MIN)).isEmpty();
    assertThat(times.next(Instant.MAX)).isEmpty();
    assertThat(times.previous(Instant.MAX).map(Fire::at))
        .contains(Instant.parse("2099-01-01T03:00:00Z"));
    assertThat(unix("0 3 1 1 *").next(Instant.parse("2099-01-01T03:00:00Z"))).isEmpty();
  }

  @Test
  void fractionsOfASecondCount() {
    CronTimes times = quartz("* * * * * ?");
    Instant fire = Instant.parse("2024-01-31T10:00:05Z");
    assertThat(times.next(fire.minusNanos(1)).map(Fire::at)).contains(fire);
    assertThat(times.next(fire).map(Fire::at)).contains(fire.plusSeconds(1));
    assertThat(times.next(fire.plusNanos(1)).map(Fire::at)).contains(fire.plusSeconds(1));
    assertThat(times.previous(fire.plusNanos(1)).map(Fire::at)).contains(fire);
    assertThat(times.previous(fire).map(Fire::at)).contains(fire.minusSeconds(1));
    assertThat(times.previous(fire.minusNanos(1)).map(Fire::at)).contains(fire.minusSeconds(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 3 * * *        | '0 0 3 * * *': exactly one of day-of-month and day-of-week must be '?', the one that does not matter
          0 0 3 ? * ?        | '0 0 3 ? * ?': exactly one of day-of-month and day-of-week must be '?', the one that does not matter
          0 0 3 1 * 2        | '0 0 3 1 * 2': exactly one of day-of-month and day-of-week must be '?', the one that does not matter
          0 3 * * *          | '0 3 * * *': 5 fields, but dialect quartz has 6 or 7: second minute hour day-of-month month day-of-week [year]; five are those of "dialect": "unix"
          ''                 | '': 0 fields, but dialect quartz has 6 or 7
          0 0 3 1,15W * ?    | '1,15W' lists L or W with other days, which is not supported; use an 'or' trigger of several crons
          0 0 3 L,1 * ?      | '0 0 3 L,1 * ?': 'L,1' lists L or W with other days
          0 0 3 LW,15 * ?    | use an 'or' trigger
          0 0 3 0W * ?       | '0W' is not understood
          0 0 3 32W * ?      | '32W' is not understood
          0 0 25 * * ?       | '0 0 25 * * ?': Value 25 not in range [0, 23]; the fields are second minute hour
          0 60 * * * ?       | Value 60 not in range [0, 59]
          0 0 0 32 * ?       | Value 32 not in range [1, 31]
          0 0 0 ? * 0        | Value 0 not in range [1, 7]
          0 0 0 ? * 8        | Value 8 not in range [1, 7]
          0 0 0 1 13 ?       | Value 13 not in range [1, 12]
          0 0 0 1 1 ? 2100   | Value 2100 not in range [1970, 2099]
          */0 * * * * ?      | a step of 0 never ends; give at least 1 behind '/'
          0 0 22-2 * * ?     | a range that wraps is written in two, like 22-23,0-2
          0 0 0 1 NOV-FEB ?  | a range that wraps is written in two
          0 0 0 15-10 * ?    | a range that wraps is written in two
          0 0 0 ? * FRI-MON/2 | 'FRI-MON/2' is a range around the end of the week with a step, which is not supported; list the days
          0 0 0 1 FOO ?      | '0 0 0 1 FOO ?'
          0 0 0 1 JANUARY ?  | 'JANUARY' is not understood; the fields are second minute hour
          0 0 0 ? * 2#6      | '2#6' is not understood
          0 0 0 ? * L-2      | 'L-2' is not understood
          0 0 0 3L * ?       | '3L' is not understood
          0 0 0 1-L * ?      | '1-L' is not understood
          0 0 0 +1 * ?       | '+1' is not understood
          0 0 0 ?,1 * ?      | '?,1' is not understood
          ? 0 0 1 * ?        | '?' is not understood
          1,,2 * * * * ?     | '1,,2' is not understood
          1, * * * * ?       | '1,' is not understood
          @daily             | nicknames are not supported; write the fields, '0 0 0 * * ?' for @daily
          """)
  void refusesAsQuartzWithTheValueAndTheRemedy(String expression, String message) {
    assertThatThrownBy(() -> quartz(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + expression + "': ")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 3 * * ?  | 6 fields, but dialect unix has 5: minute hour day-of-month month day-of-week
          0 3 * * ?    | '?' is not understood; the fields are minute hour day-of-month month day-of-week
          0 3 L * *    | 'L' is not understood
          0 3 * * 1#2  | '1#2' is not understood
          0 3 * * 8    | Value 8 not in range [0, 7]
          60 3 * * *   | Value 60 not in range [0, 59]
          0 22-2 * * * | a range that wraps is written in two, like 22-23,0-2
          @hourly      | nicknames are not supported; write the fields, '0 0 * * *' for @daily
          @reboot      | nicknames are not supported
          """)
  void refusesAsUnixWithTheValueAndTheRemedy(String expression, String message) {
    assertThatThrownBy(() -> unix(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + expression + "': ")
        .hasMessageContaining(message);
  }

  /** EventBridge's own examples, with the meaning that its documentation gives. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 10 * * ? *             | 2024-01-31T10:00 2024-02-01T10:00 2024-02-02T10:00
          15 12 * * ? *            | 2024-01-31T12:15 2024-02-01T12:15 2024-02-02T12:15
          0 18 ? * MON-FRI *       | 2024-01-31T18:00 2024-02-01T18:00 2024-02-02T18:00 2024-02-05T18:00
          0 8 1 * ? *              | 2024-02-01T08:00 2024-03-01T08:00 2024-04-01T08:00
          0/15 * * * ? *           | 2024-01-31T10:00 2024-01-31T10:15 2024-01-31T10:30 2024-01-31T10:45
          0/10 * ? * MON-FRI *     | 2024-01-31T10:00 2024-01-31T10:10 2024-01-31T10:20
          0/5 8-17 ? * MON-FRI *   | 2024-01-31T10:00 2024-01-31T10:05 2024-01-31T10:10
          0/30 20-2 ? * MON-FRI *  | refused
          0/30 20-23,0-2 ? * MON-FRI * | 2024-01-31T20:00 2024-01-31T20:30 2024-01-31T21:00
          1/10 * * * ? *           | 2024-01-31T10:01 2024-01-31T10:11 2024-01-31T10:21
          15 10 ? * 6L 2019-2028   | 2024-02-23T10:15 2024-03-29T10:15 2024-04-26T10:15
          15 10 ? * 6L 2022-2023   | never
          0 0 3W * ? *             | 2024-02-02T00:00 2024-03-04T00:00 2024-04-03T00:00
          0 0 31W * ? *            | 2024-03-29T00:00 2024-05-31T00:00 2024-07-31T00:00
          0 0 L * ? *              | 2024-02-29T00:00 2024-03-31T00:00 2024-04-30T00:00
          0 0 ? * L *              | 2024-02-03T00:00 2024-02-10T00:00 2024-02-17T00:00
          0 0 ? * 3#2 *            | 2024-02-13T00:00 2024-03-12T00:00 2024-04-09T00:00
          0 0 ? * 1 *              | 2024-02-04T00:00 2024-02-11T00:00 2024-02-18T00:00
          0 0 ? * sun *            | 2024-02-04T00:00 2024-02-11T00:00 2024-02-18T00:00
          0 0 ? * 7 *              | 2024-02-03T00:00 2024-02-10T00:00 2024-02-17T00:00
          0 0 1 JAN,FEB,MAR ? *    | 2024-02-01T00:00 2024-03-01T00:00 2025-01-01T00:00
          0 0 1 1 ? 2025/10        | 2025-01-01T00:00 2035-01-01T00:00 2045-01-01T00:00
          0 0 1 1 ? 2098-2199      | 2098-01-01T00:00 2099-01-01T00:00
          0 0 1 1 ? 2100-2199      | never
          """)
  void awsFiresAsEventBridgeDocuments(String expression, String expected) {
    if (expected.equals("refused")) {
      assertThatThrownBy(() -> aws(expression)).hasMessageContaining("a range that wraps");
      return;
    }
    List<LocalDateTime> wanted =
        expected.equals("never")
            ? List.of()
            : Stream.of(expected.split(" ")).map(LocalDateTime::parse).toList();
    Instant start = WEDNESDAY.minusMillis(1);
    List<Fire> fires =
        Fires.within(aws(expression), start, Instant.MAX, Math.max(1, wanted.size()));
    assertThat(fires.stream().map(CronTimesTest::local)).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 10 * * ?         | 5 fields, but dialect aws has 6: minute hour day-of-month month day-of-week year
          0 0 10 * * ? *     | 7 fields, but dialect aws has 6: minute hour day-of-month month day-of-week year
          ''                 | 0 fields, but dialect aws has 6
          cron(0 10 * * ? *) | write only the fields, without 'cron(' and ')'
          0 10 * * * *       | exactly one of day-of-month and day-of-week must be '?'
          0 10 ? * ? *       | exactly one of day-of-month and day-of-week must be '?'
          0 10 1 * 2 *       | exactly one of day-of-month and day-of-week must be '?'
          60 10 * * ? *      | Value 60 not in range [0, 59]; the fields are minute hour day-of-month month day-of-week year
          0 24 * * ? *       | Value 24 not in range [0, 23]
          0 0 32 * ? *       | Value 32 not in range [1, 31]
          0 0 0 * ? *        | Value 0 not in range [1, 31]
          0 0 1 13 ? *       | Value 13 not in range [1, 12]
          0 0 ? * 0 *        | Value 0 not in range [1, 7]
          0 0 ? * 8 *        | Value 8 not in range [1, 7]
          0 0 1 1 ? 1969     | Value 1969 not in range [1970, 2199]
          0 0 1 1 ? 2200     | Value 2200 not in range [1970, 2199]
          0 0 ? * 3#1,6#3 *  | '3#1,6#3' lists '#' with other days, which dialect aws does not support; use an 'or' trigger
          0 0 ? * 3#6 *      | '3#6' is not understood
          0 0 ? * 2/2 *      | '2/2' has a step, which dialect aws does not support; list the days
          0 0 L-3 * ? *      | 'L-3' is not supported by dialect aws; use L, the last day
          0 0 1,15W * ? *    | lists L or W with other days
          0 0 32W * ? *      | '32W' is not understood
          ? 0 1 * ? *        | '?' is not understood
          0 0 ? * 3W *       | '3W' is not understood
          0 0 3#2 * ? *      | '3#2' is not understood
          @daily             | nicknames are not supported; write the fields, '0 0 * * ? *' for @daily
          """)
  void refusesAsAwsWithTheValueAndTheRemedy(String expression, String message) {
    assertThatThrownBy(() -> aws(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + expression + "': ")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 3 * * ? *       | At 03:00
          0/5 * * * ? *     | Every 5 minutes
          0 3 ? * MON-FRI * | At 03:00 every day between Monday and Friday
          0 3 ? * 3#2 *     | Cron '0 3 ? * 3#2 *'
          """)
  void describesAwsExpressionsInWords(String expression, String words) {
    assertThat(aws(expression).describe()).isEqualTo(words);
  }

  @Test
  void awsIsEndlessUnlessItNamesYears() {
    assertThat(CronTimes.namesYears("0 3 * * ? *", Dialect.AWS)).isFalse();
    assertThat(CronTimes.namesYears("0 3 * * ? 2024", Dialect.AWS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 0 3 * * ?||0 0 4 * * ?", "0 0|30 3 * * ?"})
  void refusesSeveralExpressionsInOne(String expression) {
    assertThatThrownBy(() -> quartz(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'" + expression + "': '|' is not supported; use an 'or' trigger of several crons");
  }

  @Test
  void refusesAnExpressionThatIsTooLong() {
    assertThatThrownBy(() -> quartz("0,".repeat(30_000) + "0 * * * * ?"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer than 500 characters")
        .message()
        .hasSizeLessThan(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 3 * * ?       | At 03:00
          0 0/5 * * * ?     | Every 5 minutes
          * * * * * ?       | Every second
          0,30 * * * * ?    | At 0 and 30 seconds
          30 0/20 8 * * ?   | At 30 second every 20 minutes at 8 hour
          0 0 3 * */3 ?     | At 03:00 every 3 months
          * * 3 * * ?       | Cron '* * 3 * * ?'
          0,30 0 * * * ?    | Cron '0,30 0 * * * ?'
          5/15 0 * * * ?    | Cron '5/15 0 * * * ?'
          15/1 * * * * ?    | Cron '15/1 * * * * ?'
          0 20/20 8 * * ?   | Cron '0 20/20 8 * * ?'
          0 0 9-17/4 * * ?  | Cron '0 0 9-17/4 * * ?'
          0 0 3 * 2/3 ?     | Cron '0 0 3 * 2/3 ?'
          0 0 3 ? * L       | At 03:00 at Saturday day
          0 0 3 ? * MON-FRI | At 03:00 every day between Monday and Friday
          0 0 3 ? JUL WED   | At 03:00 at July month at Wednesday day
          0 0 3 ? * 2/2     | Cron '0 0 3 ? * 2/2'
          0 0 3 ? * 2#1,4#2 | Cron '0 0 3 ? * 2#1,4#2'
          0 0 3 ? * fril    | Cron '0 0 3 ? * fril'
          0 0 3 LW * ?      | Cron '0 0 3 LW * ?'
          0 0 3 */2 * ?     | Cron '0 0 3 */2 * ?'
          """)
  void isDescribedInWords(String expression, String words) {
    assertThat(quartz(expression).describe()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 3 * * *   | At 03:00
          0 3 1 * *   | At 03:00 at 1 day
          20/20 8 * * * | Cron '20/20 8 * * *'
          */20 8 * * * | Every 20 minutes at 8 hour
          0 3 * * */2 | Cron '0 3 * * */2'
          0 3 1 * 1   | Cron '0 3 1 * 1'
          """)
  void describesUnixExpressionsCorrectly(String expression, String words) {
    assertThat(unix(expression).describe()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "0 2 */2 * 1, 2026-03-09T02:00, 2026-03-23T02:00",
    "0 2 1-7 * */7, 2026-03-01T02:00, 2026-04-05T02:00",
    "0 2 */10 * */3, 2026-03-11T02:00, 2026-03-21T02:00",
    "0 2 */28 2 */7, 2032-02-01T02:00, 2032-02-29T02:00"
  })
  void unixFiresOnBothDaysIfOneBeginsWithAStar(
      String expression, LocalDateTime first, LocalDateTime second) {
    CronTimes times = unix(expression);
    Instant before = first.minusSeconds(1).toInstant(ZoneOffset.UTC);
    assertThat(times.next(before).orElseThrow().at()).isEqualTo(first.toInstant(ZoneOffset.UTC));
    Instant next = times.next(first.toInstant(ZoneOffset.UTC)).orElseThrow().at();
    assertThat(next).isEqualTo(second.toInstant(ZoneOffset.UTC));
    assertThat(times.previous(next).orElseThrow().at()).isEqualTo(first.toInstant(ZoneOffset.UTC));
  }

  @Test
  void readsTheSameTextInTwoDialectsOfItsOwn() {
    assertThat(LocalTimes.parse("0 2 * * 1", Dialect.UNIX))
        .isSameAs(LocalTimes.parse("0 2 * * 1", Dialect.UNIX));
    assertThatThrownBy(() -> quartz("0 2 * * 1")).hasMessageContaining("5 fields");
    assertThat(fires(quartz("  0\t0  3 * * ? "), 1)).hasSize(1);
  }

  @Test
  void theCacheOfParsedExpressionsIsBounded() {
    LocalTimes first = LocalTimes.parse("7 7 7 7 7 ?", Dialect.QUARTZ);
    for (int i = 0; i < 1_000; i++) {
      LocalTimes.parse("%d %d %d 7 7 ?".formatted(i % 60, i / 60, 8), Dialect.QUARTZ);
    }
    assertThat(LocalTimes.parse("7 7 7 7 7 ?", Dialect.QUARTZ)).isNotSameAs(first);
  }

  @Test
  void firesEachSecondOfALongWindowInOrder() {
    CronTimes times = quartz("* * * * * ?");
    List<Fire> fires =
        Fires.within(times, WEDNESDAY, WEDNESDAY.plus(Duration.ofMinutes(61)), 10_000);
    assertThat(fires).hasSize(3_660);
    assertThat(fires.stream().map(Fire::at)).isSorted().doesNotHaveDuplicates();
  }

  private static CronTimes quartz(String expression) {
    return CronTimes.parse(expression, Dialect.QUARTZ, ZoneOffset.UTC, Dst.DEFAULT);
  }

  private static CronTimes aws(String expression) {
    return CronTimes.parse(expression, Dialect.AWS, ZoneOffset.UTC, Dst.DEFAULT);
  }

  private static CronTimes unix(String expression) {
    return CronTimes.parse(expression, Dialect.UNIX, ZoneOffset.UTC, Dst.DEFAULT);
  }

  private static List<LocalDateTime> fires(CronTimes times, int most) {
    List<Fire> fires = Fires.within(times, WEDNESDAY, Instant.MAX, most);
    assertThat(fires).hasSize(most);
    return fires.stream().map(CronTimesTest::local).toList();
  }

  private static LocalDateTime local(Fire fire) {
    return LocalDateTime.ofInstant(fire.at(), ZoneOffset.UTC);
  }
}
