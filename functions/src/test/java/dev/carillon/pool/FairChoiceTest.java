package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.pool.PoolQueue.Chosen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairChoiceTest {

  private final PoolPlay play = new PoolPlay();

  @Test
  void anIdleCustomerGetsTheNextTurnWhenItHasWork() {
    play.ready("A", 5).ready("B", 1);
    assertThat(play.chooseEach(4)).containsExactly("A1", "B1", "A2", "A3");
    play.ready("C", 1);
    assertThat(play.chooseEach(2)).containsExactly("C1", "A4");
  }

  @Test
  void customersWithEqualWorkTakeTurns() {
    play.ready("A", 3).ready("B", 3).ready("C", 3);
    assertThat(play.chooseEach(9))
        .containsExactly("A1", "B1", "C1", "A2", "B2", "C2", "A3", "B3", "C3");
  }

  @Test
  void aChoiceOfManyGivesTheSameOrderAsManyChoicesOfOne() {
    play.ready("A", 30).ready("B", 2).ready("C", 9);
    PoolPlay each = new PoolPlay().ready("A", 30).ready("B", 2).ready("C", 9);
    assertThat(play.choose(41)).isEqualTo(each.chooseEach(41)).hasSize(41);
  }

  @Test
  void aJobThatCouldNotMoveIsNotChosenAgainAndItsCustomerLosesNoTurn() {
    play.ready("A", 2).ready("B", 2).ready("C", 2);
    assertThat(play.choose(1)).containsExactly("A1");
    assertThat(play.fail(1)).containsExactly("B1");
    // B1 has its turn and moves when its queue accepts it; the next choices go on behind it.
    assertThat(play.chooseEach(4)).containsExactly("C1", "A2", "B2", "C2");
  }

  @Test
  void aCustomerThatJoinsIsServedWithinOneRoundAndNotTwiceInIt() {
    play.ready("A", 9).ready("B", 9).ready("C", 9);
    assertThat(play.chooseEach(4)).containsExactly("A1", "B1", "C1", "A2");
    play.ready("D", 9);
    assertThat(play.chooseEach(7)).containsExactly("D1", "B2", "C2", "A3", "B3", "C3", "D2");
  }

  @Test
  void aNewcomerIsServedOnceInARoundAlthoughTheRowsOfItsTurnAreNotStoredYet() {
    play.ready("A", 9).ready("B", 9).ready("C", 9);
    assertThat(play.chooseEach(4)).containsExactly("A1", "B1", "C1", "A2");
    play.ready("D", 9);
    Chosen ofNewcomer = play.begin(1);
    assertThat(play.names(ofNewcomer)).containsExactly("D1");
    assertThat(play.chooseEach(3)).containsExactly("B2", "C2", "A3");
    play.finish(ofNewcomer);
    assertThat(play.chooseEach(3)).containsExactly("B3", "C3", "D2");
  }

  @Test
  void aCustomerThatReturnsIsServedOnceInARoundAlthoughTheRowsOfItsTurnAreNotStoredYet() {
    play.ready("A", 9).ready("B", 9).ready("C", 1);
    assertThat(play.chooseEach(2)).containsExactly("A1", "B1");
    Chosen ofLastJob = play.begin(1);
    assertThat(play.names(ofLastJob)).containsExactly("C1");
    play.ready("C", 2);
    assertThat(play.chooseEach(2)).containsExactly("A2", "B2");
    play.finish(ofLastJob);
    assertThat(play.chooseEach(2)).containsExactly("C2", "A3");
  }

  @Test
  void aCustomerThatIsIdleBetweenItsJobsGainsNothing() {
    play.ready("A", 9).ready("B", 9).ready("C", 1);
    assertThat(play.chooseEach(3)).containsExactly("A1", "B1", "C1");
    play.ready("C", 1);
    assertThat(play.chooseEach(3)).containsExactly("A2", "B2", "C2");
    assertThat(play.chooseEach(1)).containsExactly("A3");
    play.ready("C", 1);
    assertThat(play.chooseEach(2)).containsExactly("C3", "B3");
    play.ready("C", 1);
    assertThat(play.chooseEach(3)).containsExactly("A4", "B4", "C4");
  }

  /** A1 is ahead of its place in round 1; from A2 on, A has one turn in each round. */
  @Test
  void aCustomerThatIsIdleBetweenItsJobsGainsNothingByUrgentJobsOfOthers() {
    play.ready("B", 9);
    assertThat(play.chooseEach(1)).containsExactly("B1");
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      play.ready("U", 1, 2);
      assertThat(play.chooseEach(1)).containsExactly("U" + (i + 1));
      play.ready("A", 1);
      chosen.addAll(play.chooseEach(1));
    }
    assertThat(chosen).containsExactly("A1", "A2", "B2", "A3", "B3", "A4");
  }

  @Test
  void theMostUrgentJobsGoFirst() {
    play.ready("A", 2, 5).ready("B", 2, 3).ready("C", 1, 9);
    assertThat(play.chooseEach(5)).containsExactly("B1", "B2", "A1", "A2", "C1");
  }

  @Test
  void tenMinutesOfWaitingCountAsOneStepOfPriority() {
    play.ready("A", 1, 5);
    play.now = play.now.plus(FairChoice.AGEING.multipliedBy(2));
    play.ready("B", 1, 4).ready("C", 1, 2);
    play.now = play.now.plus(Duration.ofSeconds(1));
    assertThat(play.chooseEach(3)).containsExactly("C1", "A1", "B1");
  }

  @Test
  void noJobStarvesBehindMoreUrgentOnes() {
    play.ready("A", 1, 9);
    int turns = 0;
    List<String> chosen = List.of();
    while (!chosen.contains("A1") && turns < 1_000) {
      play.ready("B", 1, 0);
      play.now = play.now.plusSeconds(60);
      chosen = play.choose(1);
      turns++;
    }
    assertThat(turns).isBetween(90, 92);
  }

  @Test
  void aWeightIsAShareOfTheTurns() {
    play.as("{\"weights\": {\"A\": 2}}").ready("A", 20).ready("B", 20).ready("C", 20);
    List<String> chosen = play.chooseEach(20);
    assertThat(chosen.stream().filter(name -> name.startsWith("A"))).hasSize(10);
    assertThat(chosen.stream().filter(name -> name.startsWith("B"))).hasSize(5);
    assertThat(chosen.subList(0, 4)).containsOnlyOnce("B1", "C1").contains("A1", "A2");
  }

  /** The table of the document about pools. */
  @Test
  void eachTurnOfAWeightedCustomerBeginsAndEndsAsTheTableSays() {
    play.as("{\"weights\": {\"A\": 2}}").ready("A", 9).ready("B", 9).ready("C", 9);
    List<String> table = new ArrayList<>();
    for (int turn = 0; turn < 8; turn++) {
      Turns before = play.turns();
      String job = play.choose(1).get(0);
      String flow = job.startsWith("A") ? "A" : Turns.REST;
      double end = play.turns().start(flow);
      table.add("%s | %s | %s | %s".formatted(before.time(), job, before.start(flow), end));
    }
    assertThat(table)
        .containsExactly(
            "0.0 | B1 | 0.0 | 0.5",
            "0.25 | A1 | 0.0 | 0.5",
            "0.5 | C1 | 0.5 | 1.0",
            "0.75 | A2 | 0.5 | 1.0",
            "1.0 | B2 | 1.0 | 1.5",
            "1.25 | A3 | 1.0 | 1.5",
            "1.5 | C2 | 1.5 | 2.0",
            "1.75 | A4 | 1.5 | 2.0");
  }

  @Test
  void aChangedWeightHoldsForTheNextChoice() {
    play.ready("A", 40).ready("B", 40);
    assertThat(play.chooseEach(4)).containsExactly("A1", "B1", "A2", "B2");
    play.as("{\"weights\": {\"B\": 3}}");
    assertThat(play.chooseEach(16).stream().filter(name -> name.startsWith("B")).count())
        .isBetween(11L, 13L);
    play.as("{}");
    assertThat(play.chooseEach(4).stream().filter(name -> name.startsWith("B"))).hasSize(2);
  }

  /** B waits before. Its first turn begins with that of A, and ends with the third turn of A. */
  @Test
  void theOthersHaveTheirShareFromTheFirstWeightedCustomerOn() {
    play.ready("B", 9);
    assertThat(play.chooseEach(1)).containsExactly("B1");
    play.as("{\"weights\": {\"A\": 3}}").ready("A", 9);
    assertThat(play.chooseEach(8)).containsExactly("A1", "A2", "B2", "A3", "A4", "A5", "B3", "A6");
  }

  /** The weight of the others is their number. */
  @Test
  void aWeightIsAShareAmongAllNewcomers() {
    play.as("{\"weights\": {\"A\": 40}}").ready("A", 40);
    IntStream.range(0, 40).forEach(number -> play.ready("N" + number, 1));
    assertThat(play.chooseEach(20).stream().filter(name -> name.startsWith("A"))).hasSize(10);
  }

  /** Its share is 20 of 51 turns. */
  @Test
  void aWeightedNewcomerHasItsShareAlthoughMoreUrgentJobsAreChosenFirst() {
    play.as("{\"weights\": {\"A\": 30, \"B\": 20}}").ready("A", 60).ready("C", 60);
    assertThat(play.chooseEach(2)).containsExactly("A1", "A2");
    play.ready("B", 60).ready("U", 1, 2);
    assertThat(play.chooseEach(1)).containsExactly("U1");
    assertThat(play.chooseEach(10).stream().filter(name -> name.startsWith("B"))).hasSize(4);
  }

  @Test
  void aWeightedCustomerKeepsItsShareIfAJobEntersBeforeItsLastOneHasLeft() {
    play.as("{\"weights\": {\"a\": 30}}").ready("a", 6);
    for (int i = 0; i < 60; i++) {
      play.ready("c%02d".formatted(i), 3);
    }
    play.chooseEach(10);
    play.fail(20);
    assertThat(play.turns().isActive("a")).isFalse();
    play.ready("a", 20);
    play.retry();
    List<String> next = play.chooseEach(15);
    assertThat(next.stream().filter(name -> name.startsWith("a")).count()).isBetween(4L, 6L);
  }

  /** The second call is that of an invocation that reads after the first job is stored. */
  @Test
  void aWeightedCustomerWhoseFirstJobsEnterAtOnceIsANewcomer() {
    play.as("{\"weights\": {\"a\": 30}}").ready("b", 1).ready("a", 1).ready("a", 1);
    assertThat(play.chooseEach(3)).containsExactly("a1", "a2", "b1");
  }

  /** All virtual times are reduced by 65,536. */
  @Test
  void largeVirtualTimesAreReduced() {
    Turns far = new Turns(1, null, 0, 0, 0, 65_535.5, Map.of("A", new Turns.Flow(65_530, true)));
    Turns next = far.taken("A", 2, 65_535.5, 1);
    assertThat(next.time()).isEqualTo(0.5);
    assertThat(next.start("A")).isEqualTo(-5.5);
  }

  @Test
  void aCustomerAtItsLimitLetsOthersPassUntilOneOfItsJobsEnds() {
    play.as("{\"maxInFlight\": {\"default\": 2, \"B\": 1}}").ready("A", 5).ready("B", 3);
    assertThat(play.chooseEach(5)).containsExactly("A1", "B1", "A2");
    play.end("B");
    assertThat(play.chooseEach(2)).containsExactly("B2");
    play.end("A");
    assertThat(play.chooseEach(2)).containsExactly("A3");
  }

  /** Each job that ends makes its customer a newcomer, also in a round in which it had its turn. */
  @Test
  void aCustomerBelowItsLimitHasOneTurnInARoundHoweverManyOfItsJobsEnd() {
    play.as("{\"maxInFlight\": {\"A\": 5}}").ready("A", 9).ready("B", 4);
    List<String> chosen = new ArrayList<>();
    while (chosen.size() < 8) {
      List<String> next = play.choose(1);
      chosen.addAll(next);
      if (next.get(0).startsWith("A")) {
        play.end("A");
      }
    }
    assertThat(chosen).containsExactly("A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4");
  }

  @Test
  void aBatchDoesNotExceedALimit() {
    play.as("{\"maxInFlight\": {\"default\": 2}}").ready("A", 5, 3).ready("A", 5, 5).ready("B", 1);
    assertThat(play.choose(10)).containsExactly("A1", "A2", "B1");
  }

  @Test
  void jobsWithoutACustomerTakeTurnsAsOneCustomer() {
    play.ready("", 3).ready("A", 3).ready("A b#%", 2);
    assertThat(play.chooseEach(8))
        .containsExactly("1", "A1", "A b#%1", "2", "A2", "A b#%2", "3", "A3");
  }

  @Test
  void aNewCustomerAtEachTurnDoesNotStopThoseThatWait() {
    play.ready("A", 50);
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < 110; i++) {
      chosen.addAll(play.ready("N" + i, 1).choose(1));
    }
    assertThat(chosen.stream().filter(name -> name.startsWith("A")).count()).isBetween(5L, 11L);
  }

  @Test
  void aJobThatHasARowByEachOrderIsChosenOnce() {
    play.ready("A", 2).ready("B", 1).alsoByTime();
    assertThat(play.choose(6)).containsExactlyInAnyOrder("A1", "B1", "A2");
    assertThat(play.choose(6)).isEmpty();
  }
}
