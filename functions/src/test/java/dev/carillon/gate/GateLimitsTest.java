package dev.carillon.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.constraint.Gauge;
import dev.carillon.constraint.Limit;
import dev.carillon.constraint.Limit.GaugeWithin;
import dev.carillon.constraint.Limit.GaugeWithin.Side;
import dev.carillon.constraint.Limit.Launches;
import dev.carillon.constraint.Limit.SinceSuccess;
import dev.carillon.constraint.Limit.Unfinished;
import dev.carillon.constraint.Verdict.NotYet;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How each limit is checked at a gate, at NOW unless a test names another instant. */
class GateLimitsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final ScheduleId SCHEDULE = new ScheduleId("default", "s");
  private static final GateKey PROGRAM = GateKey.ofProgram("default", "p");
  private static final GateKey DISK = GateKey.ofResource("default", "disk");

  private static JobId job(int number) {
    return JobId.ofFire(SCHEDULE, 1, NOW.minusSeconds(number));
  }

  /** A gate at which jobs 1 to {@code unfinished} hold slots. */
  private static Gate holding(int unfinished) {
    List<Slot> slots =
        IntStream.rangeClosed(1, unfinished).mapToObj(it -> new Slot(job(it), NOW)).toList();
    Slots held = Slots.of(slots, 0);
    return new Gate(PROGRAM, 1, held, Remembered.NOTHING, 0, null, null, Map.of());
  }

  private static Gate launched(Instant... launches) {
    Remembered past = new Remembered(List.of(launches), null, null, Map.of(), null);
    return new Gate(PROGRAM, 1, Slots.NONE, past, 0, null, null, Map.of());
  }

  private static Gate succeeded(@Nullable Instant at) {
    Remembered past = new Remembered(List.of(), null, at, Map.of(), null);
    return new Gate(PROGRAM, 1, Slots.NONE, past, 0, null, null, Map.of());
  }

  private static Gate showing(@Nullable Gauge gauge) {
    return new Gate(DISK, 1, Slots.NONE, Remembered.NOTHING, 0, null, gauge, Map.of());
  }

  private static Gauge gauge(String value, @Nullable Instant expiresAt) {
    return new Gauge(new BigDecimal(value), expiresAt, NOW, "a user");
  }

  private static @Nullable NotYet unmet(Gate gate, Instant now, Limit... limits) {
    return gate.unmet(List.of(limits), null, now).orElse(null);
  }

  @ParameterizedTest(name = "{0} unfinished jobs of at most {1}: open is {2}")
  @CsvSource({"0, 1, true", "1, 1, false", "1, 2, true", "2, 2, false", "3, 2, false"})
  void concurrencyIsOpenWhileFewerJobsThanTheLimitAreUnfinished(int held, int max, boolean open) {
    assertThat(unmet(holding(held), NOW, new Unfinished(max, null)) == null).isEqualTo(open);
  }

  @Test
  void onlyTheEndOfARunOpensConcurrency() {
    assertThat(unmet(holding(2), NOW, new Unfinished(2, null)))
        .isEqualTo(
            new NotYet(null, "program p is at its limit of unfinished jobs: 2 of at most 2"));
  }

  @Test
  void aJobDoesNotCountItsOwnSlot() {
    Limit one = new Unfinished(1, null);
    Limit pause = new SinceSuccess(Duration.ofHours(1));
    assertThat(holding(1).unmet(List.of(one, pause), job(1), NOW)).isEmpty();
    assertThat(holding(1).unmet(List.of(one), job(2), NOW)).isPresent();
    assertThat(holding(1).unmet(List.of(pause), job(2), NOW)).isPresent();
  }

  @ParameterizedTest(name = "two within a minute, launches {0} and {1} ms ago: open in {2} ms")
  @CsvSource(
      nullValues = "now",
      value = {
        "59999, 1, 1",
        "60000, 1, now",
        "60001, 1, now",
        "30000, 30000, 30000",
        "0, 0, 60000"
      })
  void aRateCountsTheLaunchesOfAHalfOpenInterval(long first, long second, @Nullable Long opensIn) {
    Gate gate = launched(NOW.minusMillis(first), NOW.minusMillis(second));
    NotYet unmet = unmet(gate, NOW, new Launches(2, Duration.ofMinutes(1), null));
    assertThat(unmet == null ? null : unmet.checkAt())
        .isEqualTo(opensIn == null ? null : NOW.plusMillis(opensIn));
  }

  @Test
  void aRateIsOpenUntilItsMaximumWasLaunched() {
    Limit three = new Launches(3, Duration.ofMinutes(1), null);
    assertThat(unmet(launched(NOW, NOW), NOW, three)).isNull();
    assertThat(unmet(launched(NOW, NOW, NOW), NOW, three))
        .isEqualTo(
            new NotYet(
                NOW.plusSeconds(60), "program p is at its limit of launches within PT1M: 3"));
  }

  @Test
  void aRateCountsOnlyItsNewestLaunchesIfAnotherLimitNeedsMore() {
    Gate gate = launched(NOW.minusSeconds(50), NOW.minusSeconds(20));
    NotYet unmet = unmet(gate, NOW, new Launches(1, Duration.ofMinutes(1), null));
    assertThat(unmet).isNotNull();
    assertThat(unmet.checkAt()).isEqualTo(NOW.plusSeconds(40));
  }

  @ParameterizedTest(name = "an hour since a success {0} ms ago: open in {1} ms")
  @CsvSource(
      nullValues = "now",
      value = {"3599999, 1", "3600000, now", "3600001, now", "0, 3600000"})
  void sinceLastRunOpensWhenItsDurationHasPassed(long ago, @Nullable Long opensIn) {
    NotYet unmet =
        unmet(succeeded(NOW.minusMillis(ago)), NOW, new SinceSuccess(Duration.ofHours(1)));
    assertThat(unmet == null ? null : unmet.checkAt())
        .isEqualTo(opensIn == null ? null : NOW.plusMillis(opensIn));
  }

  @Test
  void sinceLastRunIsOpenBeforeTheFirstSuccess() {
    assertThat(unmet(succeeded(null), NOW, new SinceSuccess(Duration.ofHours(1)))).isNull();
  }

  @Test
  void sinceLastRunIsClosedDuringARunWhateverTheLastSuccess() {
    Gate gate = holding(1).succeeded(NOW.minus(Duration.ofDays(9)));
    assertThat(unmet(gate, NOW, new SinceSuccess(Duration.ofHours(1))))
        .isEqualTo(new NotYet(null, "program p has an unfinished run"));
  }

  @ParameterizedTest(name = "{0} where {1} {2} is needed: open is {3}")
  @CsvSource({
    "79.9, AT_MOST, 80, true",
    "80, AT_MOST, 80, true",
    "80.00, AT_MOST, 80, true",
    "80.1, AT_MOST, 80, false",
    "79.9, AT_LEAST, 80, false",
    "80, AT_LEAST, 80, true",
    "80.1, AT_LEAST, 80, true"
  })
  void theBoundOfAGaugeIsOnBothSides(String value, Side side, String bound, boolean open) {
    Limit limit = new GaugeWithin("disk", side, new BigDecimal(bound), false);
    assertThat(unmet(showing(gauge(value, null)), NOW, limit) == null).isEqualTo(open);
  }

  @ParameterizedTest(name = "expires in {0} ms, open if unknown {1}: open is {2}, opens in {3} ms")
  @CsvSource(
      nullValues = "never",
      value = {
        // The value does not satisfy the limit; once it expires, the gauge is unknown.
        "1, false, false, never",
        "1, true, false, 1",
        "never, true, false, never",
        // It has expired.
        "0, false, false, never",
        "0, true, true, never",
        "-1, true, true, never"
      })
  void aGaugeIsUnknownFromItsExpiryOn(
      @Nullable Long expiresIn, boolean openIfUnknown, boolean open, @Nullable Long opensIn) {
    Instant expiry = expiresIn == null ? null : NOW.plusMillis(expiresIn);
    Limit limit = new GaugeWithin("disk", Side.AT_MOST, BigDecimal.TEN, openIfUnknown);
    NotYet unmet = unmet(showing(gauge("11", expiry)), NOW, limit);
    assertThat(unmet == null).isEqualTo(open);
    assertThat(unmet == null ? null : unmet.checkAt())
        .isEqualTo(opensIn == null ? null : NOW.plusMillis(opensIn));
  }

  @Test
  void aGaugeThatWasNeverReportedIsUnknown() {
    assertThat(
            unmet(showing(null), NOW, new GaugeWithin("disk", Side.AT_MOST, BigDecimal.ONE, true)))
        .isNull();
    assertThat(
            unmet(showing(null), NOW, new GaugeWithin("disk", Side.AT_MOST, BigDecimal.ONE, false)))
        .isEqualTo(new NotYet(null, "resource disk is unknown"));
  }

  @Test
  void theReasonOfAGaugeNamesItsValueAndItsBound() {
    Limit limit = new GaugeWithin("disk", Side.AT_LEAST, new BigDecimal("1E+2"), false);
    assertThat(unmet(showing(gauge("7", null)), NOW, limit))
        .isEqualTo(new NotYet(null, "resource disk is 7; at least 100 is required"));
  }

  @Test
  void severalLimitsOpenWithTheLastOfThem() {
    Gate gate = launched(NOW).succeeded(NOW);
    Limit rate = new Launches(1, Duration.ofMinutes(1), null);
    Limit pause = new SinceSuccess(Duration.ofHours(1));
    assertThat(unmet(gate, NOW, rate, pause))
        .isEqualTo(
            new NotYet(
                NOW.plusSeconds(3600),
                "program p is at its limit of launches within PT1M: 1; the last successful run of program p"
                    + " ended less than PT1H ago"));
    assertThat(unmet(gate, NOW.plusSeconds(60), rate, pause).reason())
        .isEqualTo("the last successful run of program p ended less than PT1H ago");
  }

  @Test
  void severalLimitsHaveNoOpeningIfOneNeedsAnEvent() {
    Gate gate =
        holding(1).taken(job(2), new GatedPrograms.Counted(false, 1, Duration.ofMinutes(1)), NOW);
    NotYet unmet =
        unmet(gate, NOW, new Launches(1, Duration.ofMinutes(1), null), new Unfinished(1, null));
    assertThat(unmet).isNotNull();
    assertThat(unmet.checkAt()).isNull();
  }

  @Test
  void aFullGateIsClosedWhateverTheLimitsSay() {
    Gate full = holding(Gate.MOST_SLOTS);
    assertThat(full.unmet(List.of(), null, NOW))
        .isEqualTo(Optional.of(new NotYet(null, "program p has 2000 unfinished jobs")));
    assertThat(full.unmet(List.of(), job(1), NOW)).isEmpty();
    assertThat(holding(Gate.MOST_SLOTS - 1).unmet(List.of(), null, NOW)).isEmpty();
  }
}
