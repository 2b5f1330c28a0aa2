package dev.carillon.time;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of the clocks. Each row: zone, gap, overlap, expression, window, fires in it. */
class CronTimesDstTest {

  /** Clocks go from 02:00 to 03:00 at 10:00Z, from 02:00 to 01:00 at 09:00Z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | | 0 30 2 * * ?      | 2026-03-07T12:00Z | 2026-03-09T12:00Z | 2026-03-08T10:00:00Z GAP, 2026-03-09T09:30:00Z
          skip | | 0 30 2 * * ?  | 2026-03-07T12:00Z | 2026-03-09T12:00Z | 2026-03-09T09:30:00Z
          shift | | 0 30 2 * * ? | 2026-03-07T12:00Z | 2026-03-08T12:00Z | 2026-03-08T10:00:00Z GAP
          | | 0 0,20,40 2 * * ? | 2026-03-07T12:00Z | 2026-03-08T12:00Z | 2026-03-08T10:00:00Z GAP
          | | 0 0 1-4 * * ?     | 2026-03-08T08:00Z | 2026-03-08T12:00Z | 2026-03-08T09:00:00Z, 2026-03-08T10:00:00Z GAP, 2026-03-08T11:00:00Z
          skip | | 0 0 1-4 * * ? | 2026-03-08T08:00Z | 2026-03-08T12:00Z | 2026-03-08T09:00:00Z, 2026-03-08T10:00:00Z, 2026-03-08T11:00:00Z
          | | 0 0 3 * * ?       | 2026-03-08T08:00Z | 2026-03-08T12:00Z | 2026-03-08T10:00:00Z
          | | * 59 2 * * ?      | 2026-03-08T08:00Z | 2026-03-08T12:00Z | 2026-03-08T10:00:00Z GAP
          | | 0 0 * * * ?       | 2026-03-08T08:30Z | 2026-03-08T11:30Z | 2026-03-08T09:00:00Z, 2026-03-08T10:00:00Z, 2026-03-08T11:00:00Z
          | | 0 30 * * * ?      | 2026-03-08T09:00Z | 2026-03-08T11:00Z | 2026-03-08T09:30:00Z, 2026-03-08T10:30:00Z
          shift | | 0 30 * * * ? | 2026-03-08T09:00Z | 2026-03-08T11:00Z | 2026-03-08T09:30:00Z, 2026-03-08T10:00:00Z GAP, 2026-03-08T10:30:00Z
          | | 0 30 2/12 * * ?   | 2026-03-08T08:00Z | 2026-03-09T08:00Z | 2026-03-08T21:30:00Z
          | | 0 */30 2 * * ?    | 2026-03-08T08:00Z | 2026-03-09T10:00Z | 2026-03-09T09:00:00Z, 2026-03-09T09:30:00Z
          | | 0 30 1 * * ?      | 2026-11-01T07:00Z | 2026-11-02T12:00Z | 2026-11-01T08:30:00Z OVERLAP, 2026-11-02T09:30:00Z
          | first | 0 30 1 * * ? | 2026-11-01T07:00Z | 2026-11-01T12:00Z | 2026-11-01T08:30:00Z OVERLAP
          | second | 0 30 1 * * ? | 2026-11-01T07:00Z | 2026-11-01T12:00Z | 2026-11-01T09:30:00Z OVERLAP
          | both | 0 30 1 * * ? | 2026-11-01T07:00Z | 2026-11-01T12:00Z | 2026-11-01T08:30:00Z OVERLAP, 2026-11-01T09:30:00Z OVERLAP
          | | 0 0 1,2 * * ?     | 2026-11-01T07:00Z | 2026-11-01T12:00Z | 2026-11-01T08:00:00Z OVERLAP, 2026-11-01T10:00:00Z
          | | 0 30 * * * ?      | 2026-11-01T07:00Z | 2026-11-01T11:00Z | 2026-11-01T07:30:00Z, 2026-11-01T08:30:00Z OVERLAP, 2026-11-01T09:30:00Z OVERLAP, 2026-11-01T10:30:00Z
          | first | 0 30 * * * ? | 2026-11-01T07:00Z | 2026-11-01T11:00Z | 2026-11-01T07:30:00Z, 2026-11-01T08:30:00Z OVERLAP, 2026-11-01T10:30:00Z
          | second | 0 30 * * * ? | 2026-11-01T07:00Z | 2026-11-01T11:00Z | 2026-11-01T07:30:00Z, 2026-11-01T09:30:00Z OVERLAP, 2026-11-01T10:30:00Z
          | | 0 0 0,3 * * ?     | 2026-11-01T06:00Z | 2026-11-01T12:00Z | 2026-11-01T07:00:00Z, 2026-11-01T11:00:00Z
          """)
  void inLosAngeles(
      String gap, String overlap, String expression, String from, String to, String fires) {
    assertFires("America/Los_Angeles", gap, overlap, expression, from, to, fires);
  }

  /** From 02:00 to 03:00 and from 03:00 to 02:00, both at 01:00Z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | | 0 0 2 * * ?       | 2026-03-28T12:00Z | 2026-03-30T12:00Z | 2026-03-29T01:00:00Z GAP, 2026-03-30T00:00:00Z
          skip | | 0 15 2 * * ?  | 2026-03-28T12:00Z | 2026-03-29T12:00Z |
          | | 0 */20 * * * ?    | 2026-03-29T00:30Z | 2026-03-29T01:30Z | 2026-03-29T00:40:00Z, 2026-03-29T01:00:00Z, 2026-03-29T01:20:00Z
          | | 0 0 2 * * ?       | 2026-10-24T12:00Z | 2026-10-26T12:00Z | 2026-10-25T00:00:00Z OVERLAP, 2026-10-26T01:00:00Z
          | second | 0 0 2 * * ? | 2026-10-24T12:00Z | 2026-10-25T12:00Z | 2026-10-25T01:00:00Z OVERLAP
          | both | 0 0 2 * * ?  | 2026-10-24T12:00Z | 2026-10-25T12:00Z | 2026-10-25T00:00:00Z OVERLAP, 2026-10-25T01:00:00Z OVERLAP
          | | 0 0 3 * * ?       | 2026-10-24T12:00Z | 2026-10-25T12:00Z | 2026-10-25T02:00:00Z
          | | 0 */30 * * * ?    | 2026-10-24T23:45Z | 2026-10-25T02:15Z | 2026-10-25T00:00:00Z OVERLAP, 2026-10-25T00:30:00Z OVERLAP, 2026-10-25T01:00:00Z OVERLAP, 2026-10-25T01:30:00Z OVERLAP, 2026-10-25T02:00:00Z
          | | 0 0 2 ? * SUNL    | 2026-10-20T00:00Z | 2026-10-31T00:00Z | 2026-10-25T00:00:00Z OVERLAP
          | second | 0 0/30 * * * ? | 2026-10-24T23:45Z | 2026-10-25T02:15Z | 2026-10-25T01:00:00Z OVERLAP, 2026-10-25T01:30:00Z OVERLAP, 2026-10-25T02:00:00Z
          """)
  void inBerlin(
      String gap, String overlap, String expression, String from, String to, String fires) {
    assertFires("Europe/Berlin", gap, overlap, expression, from, to, fires);
  }

  /** Half an hour: from 02:00 to 02:30 at 15:30Z, from 02:00 to 01:30 at 15:00Z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | | 0 15 2 * * ?      | 2026-10-03T12:00Z | 2026-10-04T20:00Z | 2026-10-03T15:30:00Z GAP, 2026-10-04T15:15:00Z
          | | 0 45 2 * * ?      | 2026-10-03T12:00Z | 2026-10-03T20:00Z | 2026-10-03T15:45:00Z
          | | 0 0,30 2 * * ?    | 2026-10-03T12:00Z | 2026-10-03T20:00Z | 2026-10-03T15:30:00Z GAP
          | | 0 */15 * * * ?    | 2026-10-03T15:00Z | 2026-10-03T16:00Z | 2026-10-03T15:15:00Z, 2026-10-03T15:30:00Z, 2026-10-03T15:45:00Z, 2026-10-03T16:00:00Z
          skip | | 0 15 2 * * ?  | 2026-10-03T12:00Z | 2026-10-04T12:00Z |
          | | 0 45 1 * * ?      | 2026-04-04T12:00Z | 2026-04-04T20:00Z | 2026-04-04T14:45:00Z OVERLAP
          | | 0 15 1 * * ?      | 2026-04-04T12:00Z | 2026-04-04T20:00Z | 2026-04-04T14:15:00Z
          | second | 0 45 1 * * ? | 2026-04-04T12:00Z | 2026-04-04T20:00Z | 2026-04-04T15:15:00Z OVERLAP
          | | 0 0/15 * * * ?    | 2026-04-04T14:20Z | 2026-04-04T15:35Z | 2026-04-04T14:30:00Z OVERLAP, 2026-04-04T14:45:00Z OVERLAP, 2026-04-04T15:00:00Z OVERLAP, 2026-04-04T15:15:00Z OVERLAP, 2026-04-04T15:30:00Z
          """)
  void inLordHowe(
      String gap, String overlap, String expression, String from, String to, String fires) {
    assertFires("Australia/Lord_Howe", gap, overlap, expression, from, to, fires);
  }

  /** There is no 2011-12-30: it goes from the 29th 24:00 to the 31st 00:00 at 10:00Z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | | 0 0 12 * * ?      | 2011-12-29T12:00Z | 2011-12-31T12:00Z | 2011-12-29T22:00:00Z, 2011-12-30T10:00:00Z GAP, 2011-12-30T22:00:00Z
          skip | | 0 0 12 * * ?  | 2011-12-29T12:00Z | 2011-12-31T12:00Z | 2011-12-29T22:00:00Z, 2011-12-30T22:00:00Z
          | | 0 0 6,12,18 30 12 ? | 2011-12-01T00:00Z | 2012-01-31T00:00Z | 2011-12-30T10:00:00Z GAP
          | | 0 0 */6 30 12 ?   | 2011-12-01T00:00Z | 2012-01-31T00:00Z |
          | | 0 0 0 * * ?       | 2011-12-29T12:00Z | 2011-12-31T12:00Z | 2011-12-30T10:00:00Z GAP, 2011-12-31T10:00:00Z
          | | 0 0 */12 * * ?    | 2011-12-29T12:00Z | 2011-12-30T23:00Z | 2011-12-29T22:00:00Z, 2011-12-30T10:00:00Z, 2011-12-30T22:00:00Z
          | | 0 0 9 ? * FRIL    | 2011-12-01T00:00Z | 2012-01-28T00:00Z | 2011-12-30T10:00:00Z GAP, 2012-01-26T19:00:00Z
          """)
  void inApia(String gap, String overlap, String expression, String from, String to, String fires) {
    assertFires("Pacific/Apia", gap, overlap, expression, from, to, fires);
  }

  /** Midnight: from 00:00 to 01:00 at 03:00Z, from 00:00 to 23:00 of the day before at 02:00Z. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          | | 0 0 0 * * ?       | 2018-11-03T12:00Z | 2018-11-05T12:00Z | 2018-11-04T03:00:00Z GAP, 2018-11-05T02:00:00Z
          skip | | 0 0 0 * * ?   | 2018-11-03T12:00Z | 2018-11-05T12:00Z | 2018-11-05T02:00:00Z
          | | 0 0 0 ? * SUN     | 2018-11-01T12:00Z | 2018-11-05T12:00Z | 2018-11-04T03:00:00Z GAP
          | | 0 30 23 * * ?     | 2018-02-17T12:00Z | 2018-02-19T12:00Z | 2018-02-18T01:30:00Z OVERLAP, 2018-02-19T02:30:00Z
          | second | 0 30 23 * * ? | 2018-02-17T12:00Z | 2018-02-18T12:00Z | 2018-02-18T02:30:00Z OVERLAP
          | | 0 0 0 * * ?       | 2018-02-17T12:00Z | 2018-02-18T12:00Z | 2018-02-18T03:00:00Z
          | | 0 0 23,0 * * ?    | 2018-02-17T12:00Z | 2018-02-18T12:00Z | 2018-02-18T01:00:00Z OVERLAP, 2018-02-18T03:00:00Z
          | | 0 0 * ? * SAT     | 2018-02-18T00:30Z | 2018-02-18T12:00Z | 2018-02-18T01:00:00Z OVERLAP, 2018-02-18T02:00:00Z OVERLAP
          """)
  void inSaoPaulo(
      String gap, String overlap, String expression, String from, String to, String fires) {
    assertFires("America/Sao_Paulo", gap, overlap, expression, from, to, fires);
  }

  /** Cairo 2024-04-26 and Beirut 2024-03-31 have no 00:00 to 01:00, at 22:00Z of the day before. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Africa/Cairo | 0 0 0 * * ?  | 2024-04-25T12:00Z | 2024-04-26T22:00Z | 2024-04-25T22:00:00Z GAP, 2024-04-26T21:00:00Z
          Africa/Cairo | 0 30 * * * ? | 2024-04-25T21:00Z | 2024-04-25T23:00Z | 2024-04-25T21:30:00Z, 2024-04-25T22:30:00Z
          Asia/Beirut  | 0 0 0 * * ?  | 2024-03-30T12:00Z | 2024-03-31T22:00Z | 2024-03-30T22:00:00Z GAP, 2024-03-31T21:00:00Z
          Asia/Beirut  | 0 0 1 * * ?  | 2024-03-30T12:00Z | 2024-03-31T12:00Z | 2024-03-30T22:00:00Z
          """)
  void whereMidnightIsMissing(
      String zone, String expression, String from, String to, String fires) {
    assertFires(zone, null, null, expression, from, to, fires);
  }

  private static void assertFires(
      String zone,
      String gap,
      String overlap,
      String expression,
      String from,
      String to,
      String fires) {
    Dst dst =
        new Dst(
            gap == null ? null : Dst.Gap.valueOf(gap.toUpperCase(Locale.ROOT)),
            overlap == null ? null : Dst.Overlap.valueOf(overlap.toUpperCase(Locale.ROOT)));
    CronTimes times = CronTimes.parse(expression, Dialect.QUARTZ, ZoneId.of(zone), dst);
    String found =
        Fires.within(times, at(from), at(to), 100).stream()
            .map(fire -> fire.at() + (fire.shift() == null ? "" : " " + fire.shift()))
            .collect(joining(", "));
    assertThat(found).isEqualTo(fires == null ? "" : fires);
  }

  private static Instant at(String minute) {
    return Instant.parse(minute.replace("Z", ":00Z"));
  }
}
