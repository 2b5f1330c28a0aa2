package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.ScheduleSpec.Dst;
import dev.carillon.campaign.judge.ScheduleSpec.ZonedCron;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * In Berlin 02:00 to 03:00 does not exist on 2026-03-29, and occurs twice on 2026-10-25; both
 * changes are at 01:00 UTC.
 */
class ZonedFiresTest {

  private static ZonedCron cron(String expression, Dst dst, long flexible) {
    return new ZonedCron(expression, "Europe/Berlin", dst, flexible, "report");
  }

  private static List<String> fires(ZonedCron cron, String from, String to) {
    return FireCalendar.fires(cron, millis(from), millis(to)).stream()
        .map(fire -> Instant.ofEpochMilli(fire).toString().substring(11, 19))
        .toList();
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static Dst dst(@Nullable String gap, @Nullable String overlap) {
    return new Dst(gap == null ? "" : gap, overlap == null ? "" : overlap);
  }

  @ParameterizedTest
  @CsvSource({
    "0 30 2 * * ?, , 01:00:00",
    "0 30 2 * * ?, shift, 01:00:00",
    "0 30 2 * * ?, skip, ''",
    "'0 10,30 2 * * ?', , 01:00:00",
    "0 0 3 * * ?, , 01:00:00",
    "0 59 1 * * ?, , 00:59:00",
    "0 0/30 * * * ?, , 00:30:00 01:00:00",
    "0 0/30 2 * * ?, , ''",
    "0 0/30 2 * * ?, shift, 01:00:00",
  })
  void aTimeInTheGap(String expression, @Nullable String gap, String fires) {
    assertThat(
            fires(
                cron(expression, dst(gap, null), 0),
                "2026-03-29T00:20:00Z",
                "2026-03-29T01:20:00Z"))
        .containsExactlyElementsOf(texts(fires));
  }

  @ParameterizedTest
  @CsvSource({
    "0 30 2 * * ?, , 00:30:00",
    "0 30 2 * * ?, first, 00:30:00",
    "0 30 2 * * ?, second, 01:30:00",
    "0 30 2 * * ?, both, 00:30:00 01:30:00",
    "0 0/30 2 * * ?, , 00:00:00 00:30:00 01:00:00 01:30:00",
    "0 0/30 2 * * ?, first, 00:00:00 00:30:00",
    "0 0 3 * * ?, , 02:00:00",
  })
  void aTimeThatOccursTwice(String expression, @Nullable String overlap, String fires) {
    assertThat(
            fires(
                cron(expression, dst(null, overlap), 0),
                "2026-10-25T00:00:00Z",
                "2026-10-25T02:00:00Z"))
        .containsExactlyElementsOf(texts(fires));
  }

  private static List<String> texts(String fires) {
    return Stream.of(fires.split(" ", -1)).filter(text -> !text.isEmpty()).toList();
  }

  /** The CRC-32 of {@code default/report} is 3,474,369,788. */
  @Test
  void aFlexibleFireMovesByTheHashOfItsName() {
    assertThat(
            fires(
                cron("0 30 9 * * ?", dst(null, null), 3_600_000),
                "2026-03-01T08:00:00Z",
                "2026-03-01T10:00:00Z"))
        .containsExactly("09:13:08");
  }
}
