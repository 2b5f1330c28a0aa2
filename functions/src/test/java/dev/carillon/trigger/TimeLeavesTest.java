package dev.carillon.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.Dialect;
import dev.carillon.time.Dst;
import dev.carillon.time.Fire;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger.Adjustment;
import dev.carillon.trigger.Trigger.At;
import dev.carillon.trigger.Trigger.Cron;
import dev.carillon.trigger.Trigger.Rate;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TimeLeavesTest {

  private static final ScheduleId ID = new ScheduleId("default", "nightly");
  private static final Adjustment FLEXIBLE =
      new Adjustment(Duration.ofHours(4), List.of("us-holidays"));
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final Instant SINCE = Instant.parse("2026-03-01T00:00:07.250999Z");

  static Stream<TimeLeaf> leaves() {
    return Stream.of(
        new Cron("0 30 2 * * ?", Dialect.QUARTZ, null, Dst.DEFAULT),
        new Cron("0 30 2 * * ?", Dialect.QUARTZ, TOKYO, Dst.DEFAULT),
        new Cron("30 2 * * *", Dialect.UNIX, null, new Dst(Dst.Gap.SKIP, Dst.Overlap.BOTH)),
        new Cron("30 2 * * *", Dialect.UNIX, null, new Dst(null, Dst.Overlap.SECOND)),
        new Cron("0 30 2 * * ?", Dialect.QUARTZ, null, Dst.DEFAULT, FLEXIBLE),
        new Rate(Duration.ofHours(5), null, FLEXIBLE),
        new Rate(Duration.ofHours(5), null),
        new Rate(Duration.ofMillis(86_400_500), Instant.parse("2020-01-01T00:00:00Z")),
        new At(Instant.parse("2026-05-01T00:00:00.001Z")));
  }

  @ParameterizedTest
  @MethodSource("leaves")
  void aTimersOwnDocumentGivesTheSameFires(TimeLeaf leaf) {
    ObjectNode document = TimeLeaves.timerDocument(leaf, BERLIN, SINCE);
    ObjectNode stored = Json.readObject(Json.write(document));
    List<Fire> fires = fires(TimeLeaves.fireTimes(leaf, ID, BERLIN, SINCE));
    assertThat(fires).isNotEmpty();
    assertThat(fires(TimeLeaves.ofTimerDocument(ID, stored))).isEqualTo(fires);
    assertThat(Json.write(document)).hasSizeLessThan(200);
  }

  private static List<Fire> fires(FireTimes times) {
    List<Fire> fires = new ArrayList<>();
    Instant after = SINCE;
    for (int count = 0; count < 300 && times.next(after).isPresent(); count++) {
      fires.add(times.next(after).get());
      after = times.next(after).get().at();
    }
    return fires;
  }

  @Test
  void flexibleFiresAreLaterByAnOffsetThatTheNameDetermines() {
    Cron cron = new Cron("0 0 3 * * ?", Dialect.QUARTZ, null, Dst.DEFAULT, FLEXIBLE);
    FireTimes times = TimeLeaves.fireTimes(cron, ID, BERLIN, SINCE);
    // CRC-32 of "default/nightly" is 0x51222F8F, modulo 14,400 s.
    Instant first = Instant.parse("2026-03-01T02:00:00Z").plusSeconds(6095);
    assertThat(times.next(SINCE).orElseThrow().at()).isEqualTo(first);
    assertThat(times.next(first).orElseThrow().at()).isEqualTo(first.plus(Duration.ofDays(1)));
    assertThat(times.previous(first).orElseThrow().at()).isEqualTo(first.minus(Duration.ofDays(1)));
    assertThat(times.previous(first.plusMillis(1)).orElseThrow().at()).isEqualTo(first);
    assertThat(times.describe()).endsWith(", shifted by " + Duration.ofSeconds(6095));
  }

  @Test
  void flexibleFiresOfManySchedulesAreSpreadEvenly() {
    int[] perQuarter = new int[16];
    for (int number = 0; number < 16_000; number++) {
      ScheduleId id = new ScheduleId("default", "export-" + number);
      Duration offset = Flexible.offset(id, Duration.ofHours(4));
      assertThat(offset).isBetween(Duration.ZERO, Duration.ofHours(4).minusSeconds(1));
      perQuarter[(int) (offset.toSeconds() / 900)]++;
    }
    assertThat(perQuarter)
        .satisfies(
            counts ->
                assertThat(IntStream.of(counts)).allMatch(count -> count > 900 && count < 1_100));
  }

  static Stream<Arguments> endlessness() {
    return Stream.of(
        arguments(new Cron("0 30 2 * * ?", Dialect.QUARTZ, null, Dst.DEFAULT), true),
        arguments(new Cron(" 30  2 * * * ", Dialect.UNIX, null, Dst.DEFAULT), true),
        arguments(new Cron("0 30 2 * * ? 2026", Dialect.QUARTZ, null, Dst.DEFAULT), false),
        arguments(new Cron(" 0  30 2 * * ? 2026-2027 ", Dialect.QUARTZ, null, Dst.DEFAULT), false),
        arguments(new Rate(Duration.ofHours(5), null), true),
        arguments(new At(Instant.parse("2026-05-01T00:00:00Z")), false));
  }

  @ParameterizedTest
  @MethodSource("endlessness")
  void aLeafWithoutALastFireIsEndless(TimeLeaf leaf, boolean endless) {
    assertThat(TimeLeaves.isEndless(leaf)).isEqualTo(endless);
  }

  @Test
  void theScheduleResolvesZoneAndAnchor() {
    assertThat(TimeLeaves.timerDocument(new Rate(Duration.ofHours(5), null), BERLIN, SINCE))
        .isEqualTo(
            Json.readObject(
                """
                {"type": "rate", "every": "PT5H", "anchor": "2026-03-01T00:00:07.250Z"}
                """));
    Cron cron = new Cron("0 0 3 * * ?", Dialect.QUARTZ, null, Dst.DEFAULT);
    assertThat(TimeLeaves.timerDocument(cron, BERLIN, SINCE).path("zone").textValue())
        .isEqualTo("Europe/Berlin");
    assertThat(TimeLeaves.fireTimes(cron, ID, BERLIN, SINCE).next(SINCE).orElseThrow().at())
        .isEqualTo("2026-03-01T02:00:00Z");
  }

  /** 1 March 2026 is a Sunday. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 2 * * 1 | 2026-03-02T02:00:00Z | 2026-03-09T02:00:00Z
          0 2 * * 0 | 2026-03-01T02:00:00Z | 2026-03-08T02:00:00Z
          0 2 * * 7 | 2026-03-01T02:00:00Z | 2026-03-08T02:00:00Z
          * * * * 7 | 2026-03-01T00:01:00Z | 2026-03-01T00:02:00Z
          0 2 1 * 1 | 2026-03-01T02:00:00Z | 2026-03-02T02:00:00Z
          0 2 2 * 1 | 2026-03-02T02:00:00Z | 2026-03-09T02:00:00Z
          0 2 3 * 1 | 2026-03-02T02:00:00Z | 2026-03-03T02:00:00Z
          """)
  void unixCronsCountDaysFromSunday(String expression, Instant first, Instant second) {
    Cron cron = new Cron(expression, Dialect.UNIX, null, Dst.DEFAULT);
    FireTimes times = TimeLeaves.fireTimes(cron, ID, ZoneId.of("UTC"), SINCE);
    assertThat(times.next(SINCE).orElseThrow().at()).isEqualTo(first);
    assertThat(times.next(first).orElseThrow().at()).isEqualTo(second);
  }

  @Test
  void aDamagedTimerIsAnError() {
    ObjectNode event = Json.readObject("{\"type\": \"event\", \"key\": \"k\"}");
    assertThatThrownBy(() -> TimeLeaves.ofTimerDocument(ID, event))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> TimeLeaves.ofTimerDocument(ID, Json.object()))
        .isInstanceOf(IllegalStateException.class);
  }
}
