package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static dev.carillon.pool.PooledJobs.NOON;
import static dev.carillon.pool.PooledJobs.leaving;
import static dev.carillon.pool.PooledJobs.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.pool.ChosenCounts.Count;
import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each step changes in a pool's state; everything else stays. */
class PoolStateTest {

  private static final Instant LATER = NOON.plusSeconds(9);
  private static final Leaving MOVED = leaving(ready(1, "A", 5, NOON), false);
  private static final Leaving PULLED = leaving(ready(2, "B", 5, NOON), true);
  private static final Map<Integer, Turns> TURNS = Map.of(5, Turns.BEGIN.at("A").servedInPlace());
  private static final ChosenCounts SERVED = ChosenCounts.NONE.with(List.of("A", "B"), NOON);
  private static final PoolState STATE =
      new PoolState(
          ID, 7, Pool.Order.FAIR, TURNS, List.of(MOVED, PULLED), 40, NOON, SERVED, "ready#5#A#");

  private static PoolActivity claimed(long claimed) {
    return new PoolActivity(ID, claimed, null, false, null);
  }

  @Test
  void aPoolBeginsWithoutAnyJob() {
    PoolState begin = PoolState.begin(ID);
    assertThat(begin)
        .isEqualTo(
            new PoolState(
                ID, 0, Pool.Order.FAIR, Map.of(), List.of(), 0, null, ChosenCounts.NONE, null));
    assertThat(begin.turns(5)).isEqualTo(Turns.BEGIN);
    assertThat(begin.leavingJobs()).isEmpty();
  }

  /** The queue counts as full, because its messages are not counted yet. */
  @Test
  void aStandInCountsItsQueueAsFullAndHasItsJobsStoredAgain() {
    PoolState standIn = PoolState.standIn(claimed(30), NOON);
    assertThat(standIn)
        .isEqualTo(
            new PoolState(
                ID,
                NOON.toEpochMilli(),
                Pool.Order.FAIR,
                standIn.turns(),
                List.of(),
                30 + PoolReader.DEEPEST,
                null,
                ChosenCounts.NONE,
                PoolRow.READY));
    assertThat(standIn.turns()).hasSize(10);
    assertThat(standIn.turns(9)).isEqualTo(Turns.beginAt(NOON.toEpochMilli()));
    assertThat(standIn.visible(claimed(30))).isEqualTo(PoolReader.DEEPEST);
    assertThat(standIn.isToBeCounted(NOON)).isTrue();
    assertThat(standIn.isOrderedBy(Pool.Order.FAIR)).isFalse();
  }

  @Test
  void theStateKnowsItsTurnsAndItsChosenJobs() {
    assertThat(STATE.turns(5)).isEqualTo(TURNS.get(5));
    assertThat(STATE.turns(4)).isEqualTo(Turns.BEGIN);
    assertThat(STATE.leavingJobs())
        .containsExactlyInAnyOrder(MOVED.job().job(), PULLED.job().job());
  }

  /** The pool moved 40 jobs before. One job is on its way to the queue, one to a worker. */
  @ParameterizedTest
  @CsvSource({"0, 41", "38, 3", "40, 1", "41, 0", "99, 0"})
  void aMovedJobIsInTheQueueUntilItIsClaimed(long claimed, long visible) {
    assertThat(STATE.visible(claimed(claimed))).isEqualTo(visible);
  }

  @Test
  void aMoveIsRemembered() {
    assertThat(STATE.movingAt(LATER))
        .isEqualTo(
            new PoolState(
                ID,
                7,
                Pool.Order.FAIR,
                TURNS,
                STATE.leaving(),
                40,
                LATER,
                SERVED,
                STATE.orderedUpTo()));
  }

  @Test
  void theMessagesInTheQueueCorrectTheNumberOfMovedJobs() {
    PoolState counted = STATE.counted(30, 4, LATER);
    assertThat(counted)
        .isEqualTo(
            new PoolState(
                ID,
                8,
                Pool.Order.FAIR,
                TURNS,
                STATE.leaving(),
                34,
                LATER,
                SERVED,
                STATE.orderedUpTo()));
    assertThat(counted.visible(claimed(30))).as("4 messages, 1 on its way").isEqualTo(5);
  }

  /** Milliseconds since the last move or count. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"-, true", "0, false", "59999, false", "60000, true", "60001, true"})
  void theMessagesAreCountedAMinuteAfterTheLastMove(@Nullable Long since, boolean isToBeCounted) {
    PoolState state = since == null ? PoolState.begin(ID) : STATE.movingAt(NOON);
    Instant now = NOON.plusMillis(since == null ? 0 : since);
    assertThat(state.isToBeCounted(now)).isEqualTo(isToBeCounted);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aJobThatWasChosenBeforeBelongsToTheInvocationThatTakesIt(boolean isPulling) {
    PoolState taken = STATE.taking(List.of(PULLED), isPulling, LATER);
    assertThat(taken)
        .isEqualTo(STATE.with(List.of(new Leaving(PULLED.job(), LATER, isPulling, 0), MOVED)));
  }

  @Test
  void aChoiceMakesTheNextVersion() {
    Map<Integer, Turns> turns = Map.of(4, Turns.BEGIN.nextRound());
    assertThat(STATE.next(turns, List.of(MOVED), 3))
        .isEqualTo(
            new PoolState(
                ID,
                8,
                Pool.Order.FAIR,
                turns,
                List.of(MOVED),
                43,
                NOON,
                SERVED,
                STATE.orderedUpTo()));
  }

  @Test
  void chosenJobsCountAsServed() {
    PoolState serving = STATE.serving(List.of(MOVED.job(), MOVED.job()), NOON);
    assertThat(serving.served().byCustomer())
        .isEqualTo(Map.of("A", new Count(3, 0), "B", new Count(1, 0)));
    assertThat(serving.version()).isEqualTo(7);
    assertThat(serving.leaving()).isEqualTo(STATE.leaving());
  }

  // ---- another order

  @Test
  void theRoundsOfChosenJobsAreForgottenWithTheTurns() {
    PoolState state = STATE.with(List.of(new Leaving(PULLED.job(), LATER, true, 9)));
    assertThat(state.ordered(Pool.Order.FAIR, List.of()).leaving()).isEqualTo(state.leaving());
    assertThat(state.ordered(Pool.Order.FIFO, List.of()).leaving())
        .containsExactly(new Leaving(PULLED.job(), LATER, true, 0));
  }

  @Test
  void theTurnsBeginAgainWhenAllJobsAreStoredByAnotherOrder() {
    Leaving again = leaving(ready(3, "C", 5, NOON), false);
    PoolState ordered = STATE.ordered(Pool.Order.FIFO, List.of(again));
    assertThat(ordered)
        .isEqualTo(
            new PoolState(
                ID,
                8,
                Pool.Order.FIFO,
                Map.of(),
                List.of(MOVED, PULLED, again),
                40,
                NOON,
                SERVED,
                null));
  }

  @Test
  void theTurnsStayWhileSomeJobsAreStoredByAnotherOrder() {
    assertThat(STATE.ordering("ready#7#"))
        .isEqualTo(
            new PoolState(
                ID, 8, Pool.Order.FAIR, TURNS, STATE.leaving(), 40, NOON, SERVED, "ready#7#"));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // order of the state, up to, wanted order
        "FAIR, -,        FAIR, true",
        "FIFO, -,        FIFO, true",
        "FAIR, -,        FIFO, false",
        "FIFO, -,        FAIR, false",
        "FAIR, ready#5#, FAIR, false",
        "FAIR, ready#5#, FIFO, false"
      })
  void theJobsAreOrderedIfAllAreStoredByTheWantedOrder(
      Pool.Order order, @Nullable String upTo, Pool.Order wanted, boolean isOrdered) {
    PoolState state =
        new PoolState(ID, 1, order, Map.of(), List.of(), 0, null, ChosenCounts.NONE, upTo);
    assertThat(state.isOrderedBy(wanted)).isEqualTo(isOrdered);
  }
}
