package dev.carillon.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.SuspensionEnd;
import dev.carillon.timer.CatchUp.Policy;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimerTest {

  private static final ScheduleId ID = new ScheduleId("default", "report");
  private static final CatchUp LATEST = new CatchUp(Policy.LATEST, null);

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  private static Timer timer(String dueAt, CatchUp catchUp, @Nullable String decidedTo) {
    Instant decided = decidedTo == null ? null : at(decidedTo);
    return new Timer(ID, at(dueAt), 7, 2, 3, Json.object(), catchUp, decided);
  }

  @Test
  void aTimersKeyIsItsScheduleInstantActivationAndLeaf() {
    Timer timer = timer("10:00", LATEST, null);
    assertThat(timer.key()).isEqualTo(new Timer.Key(ID, at("10:00"), 7, 2));
    assertThat(timer.in(4).shard()).isEqualTo(4);
    assertThat(timer.in(4).key()).isEqualTo(timer.key());
    assertThat(timer.shard()).isNull();
    assertThat(timer.isOfSuspensionEnd()).isFalse();
    assertThat(timer.wakeupAt(at("11:00")))
        .isEqualTo(new Wakeup(JobId.ofFire(ID, 3, at("11:00")), at("11:00")));
  }

  @Test
  void theTimerOfASuspensionEndHasNoLeafAndNeedsNoDecision() {
    Timer end = Timer.ofSuspensionEnd(ID, at("10:00"), 7, 3);
    assertThat(end.isOfSuspensionEnd()).isTrue();
    assertThat(end.catchUp()).isEqualTo(CatchUp.EVERYTHING);
    assertThat(end.wakeupAt(at("10:00"))).isEqualTo(new Wakeup(new SuspensionEnd(ID), at("10:00")));
    assertThat(end.isUndecided(at("12:00"))).isFalse();
  }

  @ParameterizedTest(name = "due at 10:00, decided to {0}, missed to {1}: undecided {2}")
  @CsvSource({
    ", 09:59:59.999, false",
    ", 10:00, true",
    "09:59:59.999, 10:00, true",
    "10:00, 10:00, false",
    "11:00, 10:00, false"
  })
  void aMissedFireIsDecidedOnOnce(@Nullable String decidedTo, String missedTo, boolean open) {
    assertThat(timer("10:00", LATEST, decidedTo).isUndecided(at(missedTo))).isEqualTo(open);
    assertThat(timer("10:00", CatchUp.EVERYTHING, decidedTo).isUndecided(at(missedTo))).isFalse();
  }

  @ParameterizedTest(name = "moved to {0}: decided {1}")
  @CsvSource({"10:30, true", "11:00, true", "11:00:00.001, false"})
  void aDecisionEndsWhenTheTimerIsMovedPastIt(String moved, boolean decided) {
    Timer timer = timer("10:00", LATEST, null).decidedTo(at("11:00"));
    assertThat(timer.decidedTo()).isEqualTo(at("11:00"));
    assertThat(timer.movedTo(at(moved)).dueAt()).isEqualTo(at(moved));
    assertThat(timer.movedTo(at(moved)).decidedTo()).isEqualTo(decided ? at("11:00") : null);
    assertThat(timer.decided(at(moved), null).decidedTo()).isNull();
  }

  @ParameterizedTest(name = "{0}, {1}: everything {2}")
  @CsvSource({"ALL, , true", "ALL, PT1H, false", "LATEST, , false", "NONE, , false"})
  void everythingIsMadeUpForWithoutAWindow(
      Policy policy, @Nullable Duration window, boolean everything) {
    assertThat(new CatchUp(policy, window).isEverything()).isEqualTo(everything);
  }

  @ParameterizedTest(name = "a fire at {0}, the outage ends at 12:00: too old {1}")
  @CsvSource({"10:59:59.999, true", "11:00, false", "11:30, false"})
  void aFireBeforeTheWindowIsTooOld(String fire, boolean outside) {
    CatchUp hour = new CatchUp(Policy.ALL, Duration.ofHours(1));
    assertThat(hour.isOutside(at(fire), at("12:00"))).isEqualTo(outside);
    assertThat(CatchUp.EVERYTHING.isOutside(at(fire), at("12:00"))).isFalse();
  }

  // ---- how far ahead

  @Test
  void timersAreSelectedTwoMinutesAhead() {
    assertThat(LookAhead.selectionEnd(at("10:00"))).isEqualTo(at("10:02"));
  }

  @Test
  void horizonsLieOnAGridSpecificToTheScheduleAfterTheSelection() {
    for (int second = 0; second < 2_000; second++) {
      Instant now = at("10:00").plusSeconds(second);
      Instant horizon = LookAhead.horizon(ID, now);
      assertThat(horizon).isAfter(LookAhead.selectionEnd(now));
      assertThat(horizon).isBeforeOrEqualTo(LookAhead.selectionEnd(now).plus(LookAhead.GRID));
      long steps = Duration.between(LookAhead.horizon(ID, at("10:00")), horizon).toMillis();
      assertThat(steps % LookAhead.GRID.toMillis()).isZero();
    }
  }

  @Test
  void theNextHorizonAppliesWhenTheSelectionReachesTheLast() {
    Instant horizon = LookAhead.horizon(ID, at("10:00"));
    Instant reached = horizon.minus(LookAhead.AHEAD);
    assertThat(LookAhead.horizon(ID, reached.minusMillis(1))).isEqualTo(horizon);
    assertThat(LookAhead.horizon(ID, reached)).isEqualTo(horizon.plus(LookAhead.GRID));
  }

  @Test
  void schedulesAreSpreadOverTheGrid() {
    long offsets =
        IntStream.range(0, 100)
            .mapToObj(i -> LookAhead.horizon(new ScheduleId("default", "s" + i), at("10:00")))
            .distinct()
            .count();
    assertThat(offsets).isGreaterThan(90);
  }
}
