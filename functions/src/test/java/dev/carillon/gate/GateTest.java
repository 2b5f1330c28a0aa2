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
import dev.carillon.gate.GatedPrograms.Counted;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a job passes a gate, and what the gate records of it. */
class GateTest {

  private static final GateKey KEY = GateKey.ofProgram("default", "report");
  private static final Gate UNUSED = Gate.unused(KEY);
  private static final Counted ALL = new Counted(true, 2, Duration.ofMinutes(10));

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  private static JobId job(String time) {
    return JobId.ofFire(new ScheduleId("default", "s"), 1, at(time));
  }

  private static Gate taken(String... times) {
    Gate gate = UNUSED;
    for (String time : times) {
      gate = gate.taken(job(time), ALL, at(time));
    }
    return gate;
  }

  private static String opening(Gate gate, String now, Limit... limits) {
    Optional<NotYet> unmet = gate.unmet(List.of(limits), null, at(now));
    return unmet.isEmpty()
        ? "open"
        : Optional.ofNullable(unmet.get().checkAt())
            .map(it -> it.toString().substring(11, 19))
            .orElse("by an event");
  }

  private static Gauge gauge(int value, @Nullable String expiresAt) {
    Instant end = expiresAt == null ? null : at(expiresAt);
    return new Gauge(BigDecimal.valueOf(value), end, at("10:00"), "ann");
  }

  private static GaugeWithin within(Side side, int bound, boolean openIfUnknown) {
    return new GaugeWithin("disk", side, BigDecimal.valueOf(bound), openIfUnknown);
  }

  // ---- limits

  @ParameterizedTest(name = "{0} unfinished of at most {1}: {2}")
  @CsvSource({"0, 1, open", "1, 1, by an event", "1, 2, open", "2, 2, by an event"})
  void concurrencyBoundsTheUnfinishedJobs(int unfinished, int max, String opening) {
    String[] times = Arrays.copyOf(new String[] {"10:00", "10:01"}, unfinished);
    assertThat(opening(taken(times), "11:00", new Unfinished(max, null))).isEqualTo(opening);
  }

  @Test
  void aJobDoesNotCountForItself() {
    Gate gate = taken("10:00");
    List<Limit> one = List.of(new Unfinished(1, null));
    assertThat(gate.unmet(one, job("10:00"), at("10:01"))).isEmpty();
    assertThat(gate.unmet(one, job("10:30"), at("10:01"))).isPresent();
    assertThat(gate.unmet(one, null, at("10:01")).orElseThrow().reason())
        .contains("is at its limit of unfinished jobs: 1 of at most 1");
  }

  @ParameterizedTest(name = "launches at 10:00 and 10:04, at most {0} in ten minutes, now {1}: {2}")
  @CsvSource({
    "1, 10:05, 10:14:00",
    "2, 10:05, 10:10:00",
    "2, 10:09:59.999, 10:10:00",
    // the interval is open at its beginning
    "2, 10:10, open",
    "3, 10:05, open"
  })
  void rateBoundsTheLaunchesWithinAnInterval(int max, String now, String opening) {
    Launches rate = new Launches(max, Duration.ofMinutes(10), null);
    assertThat(opening(taken("10:00", "10:04"), now, rate)).isEqualTo(opening);
  }

  @ParameterizedTest(name = "a success at 10:00, an hour since, now {0}: {1}")
  @CsvSource({"10:30, 11:00:00", "10:59:59.999, 11:00:00", "11:00, open"})
  void sinceLastRunWaitsAfterTheLastSuccess(String now, String opening) {
    Limit pause = new SinceSuccess(Duration.ofHours(1));
    assertThat(opening(UNUSED.succeeded(at("10:00")), now, pause)).isEqualTo(opening);
    assertThat(opening(UNUSED, now, pause)).isEqualTo("open");
    assertThat(opening(taken("09:00").succeeded(at("10:00")), now, pause)).isEqualTo("by an event");
  }

  @ParameterizedTest(name = "a gauge of {0}, {1} {2}: {3}")
  @CsvSource({
    "79, AT_MOST, 80, open",
    "80, AT_MOST, 80, open",
    "81, AT_MOST, 80, by an event",
    "79, AT_LEAST, 80, by an event",
    "80, AT_LEAST, 80, open",
    "81, AT_LEAST, 80, open"
  })
  void aGaugeIsOnOneSideOfABoundThatIsOnBoth(int value, Side side, int bound, String opening) {
    Gate gate = UNUSED.reported(gauge(value, null), at("10:00"));
    assertThat(opening(gate, "10:01", within(side, bound, false))).isEqualTo(opening);
  }

  @ParameterizedTest(name = "open if unknown {0}, now {1}: {2}")
  @CsvSource({
    "true,  10:29:59.999, 10:30:00",
    "true,  10:30,        open",
    "false, 10:29:59.999, by an event",
    "false, 10:30,        by an event"
  })
  void aGaugeThatHasExpiredIsUnknown(boolean openIfUnknown, String now, String opening) {
    Gate gate = UNUSED.reported(gauge(90, "10:30"), at("10:00"));
    assertThat(opening(gate, now, within(Side.AT_MOST, 80, openIfUnknown))).isEqualTo(opening);
    assertThat(gate.knownValue(at("10:29:59.999"))).contains(BigDecimal.valueOf(90));
    assertThat(gate.knownValue(at("10:30"))).isEmpty();
    assertThat(opening(UNUSED, now, within(Side.AT_MOST, 80, openIfUnknown)))
        .isEqualTo(openIfUnknown ? "open" : "by an event");
  }

  @Test
  void reasonsOfAGaugeNameItsValueAndBound() {
    Gate gate = UNUSED.reported(gauge(90, null), at("10:00"));
    List<Limit> most = List.of(within(Side.AT_MOST, 80, false));
    List<Limit> least = List.of(within(Side.AT_LEAST, 95, false));
    assertThat(gate.unmet(most, null, at("10:01")).orElseThrow().reason())
        .contains("is 90; at most 80 is required");
    assertThat(gate.unmet(least, null, at("10:01")).orElseThrow().reason())
        .contains("is 90; at least 95 is required");
    assertThat(UNUSED.unmet(most, null, at("10:01")).orElseThrow().reason()).contains("unknown");
  }

  @Test
  void theLastOfSeveralLimitsDecidesUnlessOneNeedsAnEvent() {
    Gate gate = taken("10:00", "10:04").freed(job("10:00")).freed(job("10:04"));
    Limit ten = new Launches(2, Duration.ofMinutes(10), null);
    Limit twenty = new Launches(2, Duration.ofMinutes(20), null);
    assertThat(opening(gate, "10:05", ten, twenty)).isEqualTo("10:20:00");
    assertThat(opening(gate, "10:05", twenty, ten)).isEqualTo("10:20:00");
    assertThat(opening(gate, "10:11", ten, twenty)).isEqualTo("10:20:00");
    assertThat(opening(taken("10:00", "10:04"), "10:05", ten, new Unfinished(1, null)))
        .isEqualTo("by an event");
    assertThat(gate.unmet(List.of(ten, twenty), null, at("10:05")).orElseThrow().reason())
        .contains("within PT10M: 2; ");
  }

  @Test
  void aGateCountsALimitedNumberOfJobs() {
    Gate full = UNUSED;
    for (int i = 0; i < Gate.MOST_SLOTS; i++) {
      Slot slot =
          new Slot(JobId.ofEvents(new ScheduleId("default", "s"), 1, at("10:00"), i), at("10:00"));
      List<Slot> more = new ArrayList<>(full.slots().inline());
      more.add(slot);
      Slots slots = Slots.of(more, 0);
      full = new Gate(KEY, 1, slots, Remembered.NOTHING, 0, null, null, Map.of());
    }
    assertThat(full.unmet(List.of(), full.slots().inline().get(0).job(), at("10:30"))).isEmpty();
    assertThat(opening(full, "10:30")).isEqualTo("by an event");
    assertThat(full.unmet(List.of(), null, at("10:30")).orElseThrow().reason())
        .contains("2000 unfinished jobs");
    assertThat(UNUSED.unmet(List.of(), null, at("10:30"))).isEmpty();
  }

  // ---- what the gate records

  @Test
  void aJobHoldsOneSlotUntilItsEnd() {
    Gate gate = taken("10:01", "10:00", "10:01");
    assertThat(gate.slots().inline())
        .containsExactly(new Slot(job("10:00"), at("10:00")), new Slot(job("10:01"), at("10:01")));
    assertThat(gate.holds(job("10:00"))).isTrue();
    assertThat(gate.freed(job("10:00")).slots().inline())
        .containsExactly(new Slot(job("10:01"), at("10:01")));
    assertThat(gate.freed(job("10:02"))).isSameAs(gate);
    assertThat(gate.freed(job("10:00")).holds(job("10:00"))).isFalse();
  }

  @Test
  void launchesAreKeptAsLongAsLimitsNeedThem() {
    Gate many = UNUSED;
    for (int second = 0; second < 100; second++) {
      many = many.taken(job("10:00"), ALL, at("10:00").plusSeconds(second));
    }
    assertThat(many.launches()).hasSize(2 + 25).contains(at("10:00").plusSeconds(99));
    assertThat(taken("10:00", "10:10:10").launches()).containsExactly(at("10:10:10"));
    assertThat(taken("10:00", "10:10:09.999").launches())
        .containsExactly(at("10:00"), at("10:10:09.999"));
    assertThat(taken("10:04", "10:02").launches()).containsExactly(at("10:02"), at("10:04"));
    Counted slots = new Counted(true, 0, Duration.ZERO);
    assertThat(UNUSED.taken(job("10:00"), slots, at("10:00")).launches()).isEmpty();
    assertThat(taken("10:00").taken(job("10:01"), slots, at("10:01")).launches())
        .containsExactly(at("10:00"));
    assertThat(UNUSED.taken(job("10:00"), ALL.rate(), at("10:00")).slots().inline()).isEmpty();
  }

  /** Both jobs of a group are decided on at one instant, and counted at a later one. */
  @Test
  void aLaunchThatIsCountedAheadHidesNone() {
    Counted two = new Counted(false, 2, Duration.ofSeconds(4));
    Limit rate = new Limit.Launches(2, Duration.ofSeconds(4), null);
    Gate gate =
        UNUSED
            .taken(job("10:00"), two, at("10:00:00.016"))
            .taken(job("10:01"), two, at("10:00:00.113"));
    Instant now = at("10:00:04.031");
    assertThat(gate.unmet(List.of(rate), null, now)).isEmpty();
    Gate next = gate.taken(job("10:02"), two, now.plusMillis(100));
    assertThat(next.unmet(List.of(rate), null, now)).as("until 10:00:04.113").isPresent();
  }

  @Test
  void aLaunchThatDidNotTakePlaceIsRemoved() {
    Gate gate = taken("10:00", "10:02");
    assertThat(gate.notLaunched(at("10:00")).launches()).containsExactly(at("10:02"));
    assertThat(gate.notLaunched(at("10:01"))).isSameAs(gate);
  }

  /** A schedule without the limit is counted beside a limited launch, which is then refused. */
  @Test
  void theRemovalOfALaunchHidesNoOther() {
    Counted one = new Counted(false, 1, Duration.ofMinutes(10));
    Gate both = UNUSED.taken(job("10:00"), one, at("10:00")).taken(job("10:01"), one, at("10:00"));
    Gate undone = both.notLaunched(at("10:00"));
    assertThat(undone.launches()).containsExactly(at("10:00"));
    Limit rate = new Limit.Launches(1, Duration.ofMinutes(10), null);
    assertThat(undone.unmet(List.of(rate), null, at("10:05"))).isPresent();
  }

  /** Jobs of a pool are counted when they enter it, and any number of them can be cancelled. */
  @Test
  void theRemovalOfManyLaunchesDoesNotOpenTheRateEarly() {
    Counted two = new Counted(false, 2, Duration.ofMinutes(10));
    Limit rate = new Limit.Launches(2, Duration.ofMinutes(10), null);
    Gate gate = UNUSED;
    for (int second = 0; second < 40; second++) {
      gate = gate.taken(job("10:00"), two, at("10:00").plusSeconds(second));
    }
    for (int second = 10; second < 40; second++) {
      gate = gate.notLaunched(at("10:00").plusSeconds(second));
    }
    assertThat(gate.launches()).isEmpty();
    assertThat(opening(gate, "10:05", rate)).isEqualTo("10:10:12");
    assertThat(opening(gate, "10:10:12", rate)).isEqualTo("open");
    Gate later = gate.taken(job("10:11"), two, at("10:11"));
    assertThat(opening(later, "10:11", rate)).isEqualTo("open");
  }

  /** The clock of the function that launches last is behind. */
  @Test
  void aLaunchThatIsForgottenAtOnceReplacesNoLaterOne() {
    Counted one = new Counted(false, 1, Duration.ofMinutes(10));
    Gate gate = UNUSED;
    for (int second = 0; second < 30; second++) {
      gate = gate.taken(job("10:00"), one, at("10:00:05").plusSeconds(second));
    }
    assertThat(gate.past().dropped()).isEqualTo(at("10:00:08"));
    assertThat(gate.taken(job("10:01"), one, at("10:00:01")).past().dropped())
        .isEqualTo(at("10:00:08"));
  }

  @Test
  void theLatestSuccessIsKept() {
    Gate gate = UNUSED.succeeded(at("10:00"));
    assertThat(gate.lastSuccess()).isEqualTo(at("10:00"));
    assertThat(gate.succeeded(at("10:00"))).isSameAs(gate);
    assertThat(gate.succeeded(at("09:00"))).isSameAs(gate);
    assertThat(gate.succeeded(at("11:00")).lastSuccess()).isEqualTo(at("11:00"));
  }

  @Test
  void atMostTwoHundredEventsThatEndedRunsAreKnownForTenMinutes() {
    Gate gate = UNUSED.endedBy(1, at("10:00"));
    assertThat(gate.knowsEnd(1)).isTrue();
    assertThat(gate.knowsEnd(2)).isFalse();
    assertThat(gate.endedBy(2, at("10:10")).past().ends()).containsOnlyKeys(1L, 2L);
    assertThat(gate.endedBy(2, at("10:10:00.001")).past().ends()).containsOnlyKeys(2L);
    Gate many = UNUSED;
    for (int i = 0; i < Remembered.MOST_ENDS + 1; i++) {
      many = many.endedBy(i, at("10:00").plusMillis(i));
    }
    assertThat(many.past().ends())
        .hasSize(Remembered.MOST_ENDS)
        .doesNotContainKey(0L)
        .containsKey(1L);
  }

  // ---- when a gate is checked

  @Test
  void aGateIsWokenAtTheEarliestInstantOfItsWaitingJobs() {
    Gate one = UNUSED.joined(at("10:30"), at("10:00"));
    assertThat(one.waiters()).isEqualTo(1);
    assertThat(one.wakeAt()).isEqualTo(at("10:30"));
    assertThat(one.joined(at("10:40"), at("10:00")).wakeAt()).isEqualTo(at("10:30"));
    assertThat(one.joined(at("10:20"), at("10:00")).wakeAt()).isEqualTo(at("10:20"));
    assertThat(one.wokenBy(at("10:30"))).isSameAs(one);
    assertThat(UNUSED.wokenBy(at("10:30"))).isSameAs(UNUSED);
    assertThat(one.waking(null).wokenBy(at("10:50")).wakeAt()).isEqualTo(at("10:50"));
  }

  @Test
  void aGateIsNotWokenOnceNoJobWaits() {
    Gate two = UNUSED.joined(at("10:30"), at("10:00")).joined(at("10:40"), at("10:00"));
    assertThat(two.left().waiters()).isEqualTo(1);
    assertThat(two.left().wakeAt()).isEqualTo(at("10:30"));
    assertThat(two.left().left().wakeAt()).isNull();
    assertThat(UNUSED.left().waiters()).isZero();
  }

  @Test
  void aGateIsCheckedAfterTheRunTimeoutOfItsOldestJobInAnyCase() {
    Instant dayAfter = at("10:00").plus(Gate.RUN_TIMEOUT);
    assertThat(taken("10:00", "10:05").latestCheck(at("10:10")))
        .isEqualTo(dayAfter.plus(Duration.ofMinutes(2)));
    assertThat(taken("10:00").latestCheck(dayAfter.plus(Duration.ofMinutes(2))))
        .isEqualTo(dayAfter.plus(Duration.ofMinutes(4)));
    assertThat(UNUSED.latestCheck(at("10:00"))).isEqualTo(dayAfter.plus(Duration.ofMinutes(2)));
  }

  @ParameterizedTest(name = "{0} until {1}, then {2} until {3}: woken at {4}")
  @CsvSource({
    "80, , 70, , 10:00:00",
    "80, , 80, , 23:00:00",
    // an earlier expiry wakes waiting jobs then
    "80, , 80, 10:30, 10:30:00",
    "80, 10:30, 80, 10:20, 10:20:00",
    "80, 10:30, 80, 10:30, 23:00:00",
    "80, 10:30, 80, 10:40, 23:00:00",
    // a checker whose clock is ten seconds ahead can have found it expired
    "80, 10:00:10, 80, 10:40, 10:00:00",
    "80, 10:00:10.001, 80, 10:40, 23:00:00",
    "80, 09:59, 80, , 10:00:00"
  })
  void aReportWakesWaitingJobsIfItChangesWhatTheirCheckFound(
      int before, @Nullable String beforeEnd, int after, @Nullable String afterEnd, String woken) {
    Gate gate =
        UNUSED.reported(gauge(before, beforeEnd), at("09:00")).joined(at("23:00"), at("10:00"));
    Gate reported = gate.reported(gauge(after, afterEnd), at("10:00"));
    assertThat(reported.wakeAt().toString().substring(11, 19)).isEqualTo(woken);
    assertThat(reported.gauge()).isEqualTo(gauge(after, afterEnd));
  }

  @Test
  void removingAKnownGaugeWakesWaitingJobs() {
    Gate gate = UNUSED.reported(gauge(80, null), at("09:00")).joined(at("23:00"), at("10:00"));
    assertThat(gate.reported(null, at("10:00")).wakeAt()).isEqualTo(at("10:00"));
    Gate unknown = UNUSED.joined(at("23:00"), at("10:00"));
    assertThat(unknown.reported(null, at("10:00")).wakeAt()).isEqualTo(at("23:00"));
  }

  @Test
  void aChangeIsStoredAsTheNextVersion() {
    Gate stored = taken("10:00").stored();
    assertThat(stored.version()).isEqualTo(1);
    assertThat(stored.slots()).isEqualTo(taken("10:00").slots());
  }
}
