package dev.carillon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head.Suspension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of a schedule's life. It is active since 10:00; what suspends it begins at 12:00. */
class HeadTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant TEN = Instant.parse("2026-03-02T10:00:00Z");
  private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
  private static final Instant ONE = Instant.parse("2026-03-02T13:00:00Z");
  private static final long GENERATION = 3;
  private static final long ACTIVATION = 7;
  private static final long CANCEL_BELOW = 5;

  @ParameterizedTest(name = "{0}: a fire at {1} is wanted {2}, kept {3}")
  @CsvSource({
    // what it was created, changed or resumed at makes no job
    "active,    09:59:59.999, false, false",
    "active,    10:00:00.000, false, false",
    "active,    10:00:00.001, true,  false",
    "active,    12:30:00.000, true,  false",
    // a completed schedule may have its last fires looked at out of order
    "completed, 10:00:00.001, true,  false",
    "deleted,   11:00:00.000, false, false",
    // discard drops what was due before as well
    "discard,   11:00:00.000, false, false",
    "discard,   12:00:00.000, false, false",
    "discard,   12:00:00.001, false, false",
    // the other modes launch what was due up to the very instant of the suspension
    "drain,     12:00:00.000, true,  false",
    "drain,     12:00:00.001, false, false",
    "hold,      12:00:00.000, true,  false",
    "hold,      12:00:00.001, false, false",
    "backlog,   10:00:00.000, false, false",
    "backlog,   12:00:00.000, true,  true",
    "backlog,   12:00:00.001, false, true"
  })
  void aFireIsWantedByTheModeAtItsInstant(String life, String time, boolean wanted, boolean kept) {
    Head head = head(life);
    assertThat(head.wantsFire(GENERATION, at(time))).as("wanted").isEqualTo(wanted);
    assertThat(head.keepsFire(GENERATION, at(time))).as("kept").isEqualTo(kept);
    assertThat(head.wantsFire(GENERATION - 1, at(time))).as("of another generation").isFalse();
    assertThat(head.keepsFire(GENERATION - 1, at(time))).as("of another generation").isFalse();
  }

  @ParameterizedTest(name = "after {0} from noon to one: a fire at {1} is wanted {2}")
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
    assertThat(paused(mode, NOON, ONE).wantsFire(GENERATION, at(time))).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({"3, 5, true", "3, 4, false", "3, 9, true", "2, 7, false", "4, 7, false"})
  void aJobIsWantedByItsGenerationAndActivation(long generation, long activation, boolean wanted) {
    assertThat(head("active").wantsJob(generation, activation)).isEqualTo(wanted);
    assertThat(head("hold").wantsJob(generation, activation)).isEqualTo(wanted);
    assertThat(head("deleted").wantsJob(generation, activation)).isFalse();
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
  void aModeSaysWhatBecomesOfJobs(String life, boolean collects, boolean opens, boolean holds) {
    Head head = head(life);
    assertThat(head.collects()).as("collects").isEqualTo(collects);
    assertThat(head.opensJobs()).as("opens jobs").isEqualTo(opens);
    assertThat(head.holdsJobs()).as("holds jobs").isEqualTo(holds);
  }

  @ParameterizedTest(name = "{0}: a timer of activation {1} goes on to {2}")
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
  void aTimerGoesOnAsLongAsNoLaterOneTakesOver(String life, long activation, @Nullable String end) {
    assertThat(head(life).timersEnd(activation)).isEqualTo(end(end));
  }

  @ParameterizedTest
  @CsvSource({"BACKLOG, 12:00:00.000", "HOLD, 13:00:00.000", "DRAIN, 13:00:00.000", "DISCARD,"})
  void anEarlierTimerGoesOnToThePauseThatFollowedIt(SuspendMode mode, @Nullable String end) {
    assertThat(paused(mode, NOON, ONE).timersEnd(ACTIVATION)).isEqualTo(end(end));
  }

  @ParameterizedTest
  @EnumSource(SuspendMode.class)
  void aSuspensionEndsWhenItHasToWhetherOrNotThatIsStored(SuspendMode mode) {
    Head head = suspended(new Suspension(mode, null, ONE, "ann", NOON));
    assertThat(head.asOf(ONE.minusMillis(1))).isSameAs(head);

    Head resumed = head.asOf(ONE);

    assertThat(resumed).isEqualTo(paused(mode, NOON, ONE));
    assertThat(resumed.state()).isEqualTo(ScheduleState.ACTIVE);
    assertThat(resumed.activation()).as("left to the end by itself").isEqualTo(ACTIVATION + 1);
    assertThat(head.nextActivation()).as("of any other change").isEqualTo(ACTIVATION + 2);
    assertThat(resumed.opensSince()).isEqualTo(mode.makesJobs() ? TEN : ONE);
  }

  @Test
  void aPauseBeyondTheLastThatIsRememberedClosesAllBeforeItsEnd() {
    Head head = suspended(new Suspension(SuspendMode.HOLD, null, null, "ann", NOON));
    List<Instant> ends = new ArrayList<>();
    for (int i = 0; i <= Head.MOST_PAUSES; i++) {
      ends.add(NOON.plus(Duration.ofMinutes(2L * i + 1)));
      Head active = head.resumed(ends.get(i));
      Suspension next =
          new Suspension(SuspendMode.HOLD, null, null, "ann", ends.get(i).plusSeconds(60));
      head = i == Head.MOST_PAUSES ? active : suspended(active, next);
    }
    assertThat(head.pauses()).hasSize(Head.MOST_PAUSES);
    assertThat(head.activeSince()).isEqualTo(ends.get(0));
    assertThat(head.remembersSince(TEN)).isEqualTo(ends.get(0));
    assertThat(head.remembersSince(ONE.plusSeconds(1))).isEqualTo(ONE.plusSeconds(1));
    assertThat(head.wantsFire(GENERATION, NOON)).isFalse();
    assertThat(head.wantsFire(GENERATION, ends.get(0).plusMillis(1))).isTrue();
  }

  @Test
  void whatIsNotForgottenCountsFromItsBeginning() {
    assertThat(paused(SuspendMode.HOLD, NOON, ONE).remembersSince(TEN.minusSeconds(1)))
        .isEqualTo(TEN.minusSeconds(1));
  }

  @Test
  void theTimeOfAPauseHasNoFiresUnlessItMadeJobs() {
    assertThat(paused(SuspendMode.DRAIN, NOON, ONE).closedPauses().around(NOON)).isEmpty();
    assertThat(paused(SuspendMode.DRAIN, NOON, ONE).closedPauses().around(ONE))
        .hasValueSatisfying(
            excluded -> {
              assertThat(excluded.from()).isEqualTo(NOON.plusMillis(1));
              assertThat(excluded.to()).isEqualTo(ONE.plusMillis(1));
            });
    assertThat(paused(SuspendMode.BACKLOG, NOON, ONE).closedPauses().around(ONE)).isEmpty();
  }

  @Test
  void aChangeSettlesLongerAfterTheLatestOfThem() {
    Duration settles = Duration.between(TEN, head("active").settledAt());
    assertThat(settles).isGreaterThan(Duration.ofSeconds(30));
    assertThat(head("drain").settledAt()).isEqualTo(NOON.plus(settles));
    assertThat(paused(SuspendMode.HOLD, NOON, ONE).settledAt()).isEqualTo(ONE.plus(settles));
  }

  private static Head head(String life) {
    return switch (life) {
      case "active" -> active(ScheduleState.ACTIVE);
      case "completed" -> active(ScheduleState.COMPLETED);
      case "deleted" -> active(ScheduleState.DELETED);
      default -> suspended(new Suspension(SuspendMode.of(life), null, null, "ann", NOON));
    };
  }

  private static Head active(ScheduleState state) {
    return new Head(
        REPORT, GENERATION, state, ACTIVATION, CANCEL_BELOW, TEN, 9, null, "report", null);
  }

  private static Head suspended(Suspension suspension) {
    return suspended(active(ScheduleState.ACTIVE), suspension);
  }

  private static Head suspended(Head active, Suspension suspension) {
    return new Head(
        REPORT,
        GENERATION,
        ScheduleState.SUSPENDED,
        active.activation(),
        CANCEL_BELOW,
        active.activeSince(),
        9,
        suspension,
        active.pauses(),
        "report",
        null);
  }

  private static Head paused(SuspendMode mode, Instant from, Instant to) {
    return suspended(new Suspension(mode, null, to, "ann", from)).resumed(to);
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-02T" + time + "Z");
  }

  private static Optional<Instant> end(@Nullable String end) {
    return Optional.ofNullable(end).map(it -> it.equals("MAX") ? Instant.MAX : at(it));
  }
}
