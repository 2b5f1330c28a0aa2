package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rules of a schedule's life. The schedule is active from 10:00; suspensions begin at 12:00.
 */
class LifeTest {

  private static final Instant TEN = Instant.parse("2026-03-02T10:00:00Z");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant ONE = Instant.parse("2026-03-02T13:00:00Z");
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final long GENERATION = 3;
  private static final long ACTIVATION = 7;
  private static final long MIN_LIVE = 5;

  @ParameterizedTest(name = "{0}: a fire at {1} launches {2}, is kept {3}")
  @CsvSource({
    // no job for the instant of its creation, change or resumption
    "active,    09:59:59.999, false, false",
    "active,    10:00:00.000, false, false",
    "active,    10:00:00.001, true,  false",
    "active,    12:30:00.000, true,  false",
    // the last fires of a completed schedule can be checked out of order
    "completed, 10:00:00.001, true,  false",
    "deleted,   11:00:00.000, false, false",
    // discard also drops the fires that were due before
    "discard,   11:00:00.000, false, false",
    "discard,   12:00:00.000, false, false",
    "discard,   12:00:00.001, false, false",
    // the other modes launch fires that were due up to the instant of the suspension
    "drain,     12:00:00.000, true,  false",
    "drain,     12:00:00.001, false, false",
    "hold,      12:00:00.000, true,  false",
    "hold,      12:00:00.001, false, false",
    "backlog,   10:00:00.000, false, false",
    "backlog,   12:00:00.000, true,  true",
    "backlog,   12:00:00.001, false, true"
  })
  void aFireLaunchesByTheModeAtItsInstant(String named, String time, boolean wanted, boolean kept) {
    Life life = life(named);
    assertThat(life.wantsFire(GENERATION, at(time))).as("launches").isEqualTo(wanted);
    assertThat(life.keepsFire(GENERATION, at(time))).as("kept").isEqualTo(kept);
    assertThat(life.wantsFire(GENERATION - 1, at(time))).as("of another generation").isFalse();
    assertThat(life.keepsFire(GENERATION - 1, at(time))).as("of another generation").isFalse();
  }

  @ParameterizedTest(name = "after {0} from noon to one: a fire at {1} launches {2}")
  @CsvSource({
    "DRAIN,   12:00:00.000, true",
    "DRAIN,   12:00:00.001, false",
    "DRAIN,   13:00:00.000, false",
    "DRAIN,   13:00:00.001, true",
    "HOLD,    12:00:00.000, true",
    "HOLD,    12:00:00.001, false",
    "HOLD,    13:00:00.000, false",
    "HOLD,    13:00:00.001, true",
    "BACKLOG, 12:00:00.001, true",
    "BACKLOG, 13:00:00.000, true",
    "DISCARD, 11:00:00.000, false",
    "DISCARD, 13:00:00.000, false",
    "DISCARD, 13:00:00.001, true"
  })
  void aFireOfAPauseIsWantedIfThePauseMadeJobs(SuspendMode mode, String time, boolean wanted) {
    assertThat(paused(mode).wantsFire(GENERATION, at(time))).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({"3, 5, true", "3, 4, false", "3, 9, true", "2, 7, false", "4, 7, false"})
  void aJobIsWantedByItsGenerationAndActivation(long generation, long activation, boolean wanted) {
    assertThat(life("active").wantsJob(generation, activation)).isEqualTo(wanted);
    assertThat(life("hold").wantsJob(generation, activation)).isEqualTo(wanted);
    assertThat(life("deleted").wantsJob(generation, activation)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "active,    true,  true,  false",
    "completed, false, false, false",
    "deleted,   false, false, false",
    "discard,   false, false, false",
    "drain,     true,  false, false",
    "hold,      true,  false, true",
    "backlog,   true,  true,  true"
  })
  void aModeDeterminesWhatHappensToJobs(
      String named, boolean collects, boolean opens, boolean holds) {
    Life life = life(named);
    assertThat(life.collects()).as("collects").isEqualTo(collects);
    assertThat(life.opensJobs()).as("opens jobs").isEqualTo(opens);
    assertThat(life.holdsJobs()).as("holds jobs").isEqualTo(holds);
  }

  @ParameterizedTest(name = "{0}: a timer of activation {1} expands up to {2}")
  @CsvSource({
    "active,    7, MAX",
    "active,    6,",
    "active,    4,",
    "completed, 6, MAX",
    "completed, 4,",
    "deleted,   7,",
    "discard,   7,",
    "drain,     7, 12:00:00.000",
    "hold,      6, 12:00:00.000",
    "backlog,   7, MAX",
    "backlog,   6, 12:00:00.000",
    "backlog,   4,"
  })
  void aTimerExpandsUntilALaterOneTakesOver(String named, long activation, @Nullable String end) {
    assertThat(life(named).timersEnd(activation)).isEqualTo(end(end));
  }

  @ParameterizedTest
  @CsvSource({"BACKLOG, 12:00:00.000", "HOLD, 13:00:00.000", "DRAIN, 13:00:00.000", "DISCARD,"})
  void anEarlierTimerExpandsUpToThePauseThatFollowsIt(SuspendMode mode, @Nullable String end) {
    assertThat(paused(mode).timersEnd(ACTIVATION)).isEqualTo(end(end));
  }

  @Test
  void theLastPauseDeterminesTheEndOfAnEarlierTimer() {
    Life life = paused(SuspendMode.HOLD).suspended(SuspendMode.BACKLOG, null, at("14:00:00.000"));
    assertThat(life.resumed(at("15:00:00.000")).timersEnd(ACTIVATION)).contains(at("14:00:00.000"));
  }

  @ParameterizedTest
  @EnumSource(SuspendMode.class)
  void aSuspensionEndsAtItsPlannedEndStoredOrNot(SuspendMode mode) {
    Life life = suspended(mode, ONE);
    assertThat(life.asOf(ONE.minusMillis(1))).isSameAs(life);
    assertThat(life.isResumptionDue(ONE.minusMillis(1))).isFalse();
    assertThat(life.isResumptionDue(ONE)).isTrue();

    Life resumed = life.asOf(ONE);

    assertThat(resumed).isEqualTo(paused(mode));
    assertThat(resumed.state()).isEqualTo(ScheduleState.ACTIVE);
    assertThat(resumed.activation()).as("reserved for the planned end").isEqualTo(ACTIVATION + 1);
    assertThat(life.nextActivation()).as("of any other change").isEqualTo(ACTIVATION + 2);
    assertThat(resumed.opensSince()).isEqualTo(mode.makesJobs() ? TEN : ONE);
  }

  @Test
  void aDroppedPauseClosesEverythingBeforeItsEnd() {
    Life life = life("active");
    List<Instant> ends = new ArrayList<>();
    for (int i = 0; i <= Periods.MOST_PAUSES; i++) {
      Instant begins = NOON.plus(Duration.ofMinutes(2L * i));
      ends.add(begins.plusSeconds(60));
      life = life.suspended(SuspendMode.HOLD, null, begins).resumed(ends.get(i));
    }
    assertThat(life.periods().pauses()).hasSize(Periods.MOST_PAUSES);
    assertThat(life.beganAt()).isEqualTo(ends.get(0));
    assertThat(life.periods().knownSince(TEN)).isEqualTo(ends.get(0));
    assertThat(life.periods().knownSince(ONE.plusSeconds(1))).isEqualTo(ONE.plusSeconds(1));
    assertThat(life.wantsFire(GENERATION, NOON)).isFalse();
    assertThat(life.wantsFire(GENERATION, ends.get(0).plusMillis(1))).isTrue();
    assertThat(life.wantsJob(GENERATION, MIN_LIVE)).as("a job from before it").isTrue();
  }

  @Test
  void anInstantAfterTheFirstKnownPeriodIsKept() {
    assertThat(paused(SuspendMode.HOLD).periods().knownSince(TEN.minusSeconds(1)))
        .isEqualTo(TEN.minusSeconds(1));
  }

  @Test
  void aPauseHasNoFiresUnlessItMadeJobs() {
    assertThat(paused(SuspendMode.DRAIN).closedPauses().around(NOON)).isEmpty();
    assertThat(paused(SuspendMode.DRAIN).closedPauses().around(ONE))
        .hasValueSatisfying(
            excluded -> {
              assertThat(excluded.from()).isEqualTo(NOON.plusMillis(1));
              assertThat(excluded.to()).isEqualTo(ONE.plusMillis(1));
            });
    assertThat(paused(SuspendMode.BACKLOG).closedPauses().around(ONE)).isEmpty();
  }

  @Test
  void aChangeSettlesLongerAfterTheLatestOfThem() {
    Duration settles = Duration.between(TEN, life("active").settledAt());
    assertThat(settles).isGreaterThan(Duration.ofSeconds(30));
    assertThat(life("drain").settledAt()).isEqualTo(NOON.plus(settles));
    assertThat(paused(SuspendMode.HOLD).settledAt()).isEqualTo(ONE.plus(settles));
  }

  @ParameterizedTest(name = "{0} of {1}: activation {2}, live from {3}, periods: {4}")
  @CsvSource({
    "hold at 12:00,              active since 10:00,         8,  5, active 10:00 HOLD 12:00",
    "discard at 12:00,           active since 10:00,         8,  8, DISCARD 12:00",
    "resume at 13:00,            hold since 12:00,           8,  5, active 10:00 HOLD 12:00 active 13:00",
    "drain at 13:00,             hold since 12:00,           8,  5, active 10:00 HOLD 12:00 DRAIN 13:00",
    "resume at 13:00,            discard since 12:00,        8,  5, active 13:00",
    "backlog at 13:00,           discard since 12:00,        8,  5, BACKLOG 13:00",
    "discard at 13:00,           hold since 12:00,           8,  8, DISCARD 13:00",
    // with a planned end, a caller's change reserves the next activation for that end
    "resume at 14:00,            hold 12:00 until 14:00,     8,  5, active 10:00 HOLD 12:00 active 14:00",
    "resume at 13:00,            hold 12:00 until 14:00,     9,  5, active 10:00 HOLD 12:00 active 13:00",
    "discard at 13:00,           hold 12:00 until 14:00,     9,  9, DISCARD 13:00",
    "another end at 13:00,       hold 12:00 until 14:00,     9,  5, active 10:00 HOLD 12:00",
    "another end at 13:00,       hold since 12:00,           8,  5, active 10:00 HOLD 12:00",
    "completion at 13:00,        active since 10:00,         7,  5, active 10:00",
    "deletion at 13:00,          hold 12:00 until 14:00,     9,  9, active 13:00"
  })
  void aChangeBeginsAPeriodAndKeepsOrCancelsEarlierJobs(
      String change, String before, long activation, long minLive, String remembered) {
    Life after = after(change, before(before));
    assertThat(after.activation()).as("activation").isEqualTo(activation);
    assertThat(after.minLiveActivation()).as("live from").isEqualTo(minLive);
    assertThat(after.isLive(minLive)).isTrue();
    assertThat(after.isLive(minLive - 1)).isFalse();
    assertThat(after.cancelsJobsOf(before(before))).isEqualTo(minLive != MIN_LIVE);
    assertThat(described(after)).isEqualTo(remembered);
  }

  private static Life before(String before) {
    String mode = before.substring(0, before.indexOf(' '));
    return before.endsWith("until 14:00")
        ? suspended(SuspendMode.of(mode), at("14:00:00.000"))
        : life(mode);
  }

  private static Life after(String change, Life before) {
    String what = change.substring(0, change.indexOf(" at "));
    Instant at = at(change.substring(change.length() - 5) + ":00.000");
    return switch (what) {
      case "resume" -> before.resumed(at);
      case "another end" -> before.endingAt(NOON.plus(Duration.ofHours(9)));
      case "completion" -> before.completed();
      case "deletion" -> before.deleted(at);
      default -> before.suspended(SuspendMode.of(what), null, at);
    };
  }

  private static String described(Life life) {
    return life.periods().all().stream().map(LifeTest::described).collect(Collectors.joining(" "));
  }

  private static String described(Period period) {
    String mode = period.mode() == null ? "active" : period.mode().name();
    return mode + " " + period.from().toString().substring(11, 16);
  }

  @Test
  void theExampleOfTheDocument() {
    Life created = Life.begun(GENERATION, 7, null, null, TEN);
    assertLife(created, 7, 7, "active 10:00");
    Life held = created.suspended(SuspendMode.HOLD, ONE, NOON);
    assertLife(held, 8, 7, "active 10:00 HOLD 12:00");
    Life ended = held.asOf(ONE.plusSeconds(9));
    assertLife(ended, 9, 7, "active 10:00 HOLD 12:00 active 13:00");
    Life backlog = ended.suspended(SuspendMode.BACKLOG, null, at("14:00:00.000"));
    assertLife(backlog, 10, 7, "active 10:00 HOLD 12:00 active 13:00 BACKLOG 14:00");
    Life discarded = backlog.suspended(SuspendMode.DISCARD, null, at("15:00:00.000"));
    assertLife(discarded, 11, 11, "DISCARD 15:00");
    assertLife(discarded.resumed(at("16:00:00.000")), 12, 11, "active 16:00");
  }

  private static void assertLife(Life life, long activation, long minLive, String remembered) {
    assertThat(life.activation()).isEqualTo(activation);
    assertThat(life.minLiveActivation()).isEqualTo(minLive);
    assertThat(described(life)).isEqualTo(remembered);
  }

  @ParameterizedTest(name = "{0}: held jobs of activations below {1} are checked")
  @CsvSource({"active, 7", "drain, 7", "discard, 7", "hold, 5", "backlog, 5"})
  void onlyASuspensionThatHoldsJobsKeepsThemHeld(String named, long minHeld) {
    assertThat(life(named).minHeldActivation()).isEqualTo(minHeld);
  }

  @Test
  void jobsKeptThroughAPauseHaveAnEarlierActivation() {
    assertThat(life("active").hasPaused()).isFalse();
    assertThat(life("drain").hasPaused()).isTrue();
    assertThat(paused(SuspendMode.DRAIN).hasPaused()).isTrue();
    assertThat(paused(SuspendMode.DISCARD).hasPaused()).as("nothing is kept").isFalse();
  }

  @ParameterizedTest(name = "{0} from noon to one: 10 min from {1} end at {2}")
  @CsvSource({
    "HOLD,    11:55:00, 13:05:00",
    "BACKLOG, 11:55:00, 13:05:00",
    "DRAIN,   11:55:00, 12:05:00",
    "DISCARD, 11:55:00, 12:05:00",
    // timed out at the start of the pause, or just after it
    "HOLD,    11:50:00, 12:00:00",
    "HOLD,    11:50:01, 13:00:01",
    // waiting since an instant within the pause, at its end, or later
    "BACKLOG, 12:20:00, 13:10:00",
    "HOLD,    13:00:00, 13:10:00",
    "HOLD,    13:30:00, 13:40:00"
  })
  void theTimeOutClockStopsWhileJobsAreHeld(SuspendMode mode, String since, String end) {
    assertThat(paused(mode).waitEnd(at(since + ".000"), TEN_MINUTES, false))
        .contains(at(end + ".000"));
  }

  @ParameterizedTest(name = "{0} since noon: 10 min from {1} end at {2}, launched manually at {3}")
  @CsvSource({
    "hold,  11:50:00, 12:00:00, 12:00:00",
    "hold,  11:55:00,         , 12:05:00",
    "hold,  12:20:00,         , 12:30:00",
    "drain, 11:55:00, 12:05:00, 12:05:00"
  })
  void theTimeOutIsUnknownWhileJobsAreHeld(
      String named, String since, @Nullable String end, String manual) {
    Instant began = at(since + ".000");
    assertThat(life(named).waitEnd(began, TEN_MINUTES, false))
        .isEqualTo(Optional.ofNullable(end).map(it -> at(it + ".000")));
    assertThat(life(named).waitEnd(began, TEN_MINUTES, true)).contains(at(manual + ".000"));
  }

  @Test
  void aPauseDoesNotHoldJobsLaunchedManuallyDuringIt() {
    Life paused = paused(SuspendMode.HOLD);
    assertThat(paused.waitEnd(NOON.plusMillis(1), TEN_MINUTES, true))
        .contains(NOON.plusMillis(1).plus(TEN_MINUTES));
    assertThat(paused.waitEnd(NOON, TEN_MINUTES, true)).contains(ONE.plus(TEN_MINUTES));
  }

  @Test
  void suspensionsThatFollowEachOtherHoldOnlyWhatWaitedBeforeTheFirst() {
    Life second = suspended(SuspendMode.HOLD, null).suspended(SuspendMode.BACKLOG, null, ONE);
    Life third = second.endingAt(ONE.plus(TEN_MINUTES));

    assertThat(third.activation()).isEqualTo(ACTIVATION + 2);
    assertThat(third.holdsLaunchesOf(ACTIVATION - 1)).as("before the first").isTrue();
    assertThat(third.holdsLaunchesOf(ACTIVATION)).as("during the first").isFalse();
    assertThat(third.holdsLaunchesOf(ACTIVATION + 1)).as("during the second").isFalse();
    Life resumed = third.resumed(ONE.plus(TEN_MINUTES));
    assertThat(resumed.holdsLaunchesOf(ACTIVATION - 1)).isFalse();
    Instant during = NOON.plusMillis(1);
    assertThat(resumed.waitEnd(during, TEN_MINUTES, true)).contains(during.plus(TEN_MINUTES));
    assertThat(resumed.waitEnd(NOON, TEN_MINUTES, true))
        .contains(ONE.plus(TEN_MINUTES.multipliedBy(2)));
  }

  @Test
  void aPeriodThatLaunchesJobsSeparatesTwoThatHoldThem() {
    Life drained = suspended(SuspendMode.HOLD, null).suspended(SuspendMode.DRAIN, null, ONE);
    assertThat(drained.holdsLaunchesOf(ACTIVATION - 1)).isFalse();
    Life held = drained.suspended(SuspendMode.HOLD, null, at("14:00:00.000"));
    assertThat(held.holdsLaunchesOf(ACTIVATION + 1)).as("in the drain").isTrue();
    assertThat(held.holdsLaunchesOf(held.activation())).isFalse();
    Life resumed = held.resumed(at("15:00:00.000"));
    Instant inTheDrain = at("13:55:00.000");
    assertThat(resumed.waitEnd(inTheDrain, TEN_MINUTES, true)).contains(at("15:05:00.000"));
  }

  @Test
  void noPeriodBeginsBeforeThePreviousOneAlthoughClocksDiffer() {
    Instant behind = NOON.minusSeconds(1);
    assertThat(life("hold").resumed(behind).periods().current().from()).isEqualTo(NOON);
    assertThat(life("hold").suspended(SuspendMode.DRAIN, null, behind).periods().current().from())
        .isEqualTo(NOON);
    assertThat(life("hold").suspended(SuspendMode.DISCARD, null, behind).beganAt()).isEqualTo(NOON);
    assertThat(life("hold").deleted(behind).beganAt()).isEqualTo(NOON);
  }

  @Test
  void aPeriodBeginsWithAMillisecondAsItIsStored() {
    assertThat(new Period(null, TEN.plusNanos(1_999_999)))
        .isEqualTo(new Period(null, TEN.plusMillis(1)));
  }

  @Test
  void aStateThatContradictsItsPeriodsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> life(ScheduleState.SUSPENDED, null, new Period(null, TEN)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> life(ScheduleState.ACTIVE, null, new Period(SuspendMode.HOLD, TEN)));
    assertThatIllegalArgumentException().isThrownBy(() -> life(ScheduleState.ACTIVE, null));
  }

  /** Active since ten, or suspended at noon. */
  private static Life life(String named) {
    return switch (named) {
      case "active" -> active(ScheduleState.ACTIVE);
      case "completed" -> active(ScheduleState.COMPLETED);
      case "deleted" -> active(ScheduleState.DELETED);
      default -> suspended(SuspendMode.of(named), null);
    };
  }

  private static Life active(ScheduleState state) {
    return life(state, null, new Period(null, TEN));
  }

  private static Life suspended(SuspendMode mode, @Nullable Instant until) {
    Period suspension = new Period(mode, NOON);
    return mode.keepsJobs()
        ? life(ScheduleState.SUSPENDED, until, new Period(null, TEN), suspension)
        : life(ScheduleState.SUSPENDED, until, suspension);
  }

  private static Life life(ScheduleState state, @Nullable Instant until, Period... periods) {
    return new Life(
        GENERATION, state, ACTIVATION, MIN_LIVE, 0, new Periods(List.of(periods)), until);
  }

  private static Life paused(SuspendMode mode) {
    return suspended(mode, ONE).resumed(ONE);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-02T" + time + "Z");
  }

  private static Optional<Instant> end(@Nullable String end) {
    return Optional.ofNullable(end).map(it -> it.equals("MAX") ? Instant.MAX : at(it));
  }
}
