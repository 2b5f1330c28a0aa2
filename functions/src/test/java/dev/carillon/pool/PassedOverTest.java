package dev.carillon.pool;

import static dev.carillon.pool.PooledJobs.ID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolRow.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The customers that a choice passes over, and the turns that it records. */
class PassedOverTest {

  private static final String ONE_EACH = "{\"maxInFlight\": {\"default\": 1}}";

  private final PoolPlay play = new PoolPlay();

  private List<PoolRow> rows(String kind) {
    return play.pools.rows(ID, kind, PoolRow.after(kind), 1_000);
  }

  /** A customer of which one job waits and one is in flight. */
  private void waitingAtItsLimit(String customer, int number) {
    waitingAtItsLimit(customer, 5, number);
  }

  private void waitingAtItsLimit(String customer, int priority, int number) {
    play.ready(customer, 1, priority);
    play.pools.put(List.of(new InFlight(ID, customer, PoolPlay.START, PooledJobs.id(number))));
  }

  private void noNewcomers() {
    play.pools.remove(rows(PoolRow.NEW));
  }

  // ---- customers at their limits

  @ParameterizedTest
  @CsvSource({
    // customers at their limits before it, choices until it is served
    "0,   1",
    "99,  1",
    "100, 2",
    "199, 2",
    "200, 3"
  })
  void aChoicePassesOverAHundredCustomersAndTheNextContinuesBehindThem(int customers, int choices) {
    play.as(ONE_EACH);
    for (int i = 0; i < customers; i++) {
      waitingAtItsLimit("a%03d".formatted(i), i);
    }
    play.ready("b", 1);
    noNewcomers();
    for (int choice = 1; choice < choices; choice++) {
      assertThat(play.decide(1).isCutShort()).isTrue();
      assertThat(play.choose(1)).isEmpty();
    }
    assertThat(play.decide(1).isCutShort()).isFalse();
    assertThat(play.choose(1)).containsExactly("b1");
  }

  @Test
  void theNextChoiceContinuesBehindThemAlthoughAJobOfAnotherPriorityWasChosen() {
    play.as("{\"maxInFlight\": {\"default\": 1, \"U\": 1000}}");
    for (int i = 0; i < 150; i++) {
      waitingAtItsLimit("a%03d".formatted(i), i);
    }
    play.ready("b", 1).ready("U", 9, 9);
    noNewcomers();
    assertThat(play.chooseEach(3)).containsExactly("U1", "b1", "U2");
  }

  @Test
  void aPriorityWhoseCustomersAreAllPassedOverBeginsNoRoundIfAnotherPriorityIsCutShort() {
    play.as("{\"maxInFlight\": {\"default\": 1, \"U\": 1000}}");
    for (int i = 0; i < 150; i++) {
      waitingAtItsLimit("a%03d".formatted(i), 2, i);
    }
    waitingAtItsLimit("b", 5, 150);
    play.ready("U", 9, 0);
    noNewcomers();
    assertThat(play.decide(1).isCutShort()).isTrue();
    assertThat(play.choose(1)).containsExactly("U1");
    assertThat(play.turns().round()).isEqualTo(1);
  }

  @Test
  void aChoiceThatPassesOverEachCustomerIsNotCutShort() {
    play.as(ONE_EACH);
    waitingAtItsLimit("A", 1);
    waitingAtItsLimit("B", 2);
    noNewcomers();
    assertThat(play.decide(1).isCutShort()).isFalse();
    assertThat(play.choose(1)).isEmpty();
  }

  /** A checker was sending the job when the state that named it as chosen was lost. */
  @ParameterizedTest
  @CsvSource({"1, true", "2, false"})
  void aJobDoesNotCountAgainstItself(int inFlight, boolean isChosen) {
    play.as(ONE_EACH).ready("A", 1);
    ReadyJob own = (ReadyJob) rows(PoolRow.READY).get(0);
    List<PoolRow> flights = new ArrayList<>();
    flights.add(new InFlight(ID, "A", own.since(), own.job()));
    if (inFlight == 2) {
      flights.add(new InFlight(ID, "A", own.since(), PooledJobs.id(99)));
    }
    play.pools.put(flights);
    assertThat(play.choose(1).equals(List.of("A1"))).isEqualTo(isChosen);
  }

  // ---- newcomers

  /** The customer itself is the first of them. */
  @Test
  void aWaitingCustomerIsServedAfterTenNewcomersInARow() {
    play.ready("A", 9);
    assertThat(play.choose(1)).containsExactly("A1");
    List<String> chosen = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      chosen.addAll(play.ready("N%d-".formatted(i), 1).choose(1));
    }
    assertThat(chosen)
        .containsExactly(
            "N1-1", "N2-1", "N3-1", "N4-1", "N5-1", "N6-1", "N7-1", "N8-1", "N9-1", "A2", "N10-1",
            "N11-1");
    assertThat(recorded()).as("A2 was in round 2, while a newcomer waited").contains("A2");
    assertThat(play.chooseEach(2)).containsExactly("N12-1", "A3");
    assertThat(recorded()).as("A3 was in round 3, while none waited").contains("A2");
  }

  // ---- recorded turns

  private List<String> recorded() {
    return rows(PoolRow.READY).stream()
        .filter(Served.class::isInstance)
        .map(Served.class::cast)
        .map(row -> row.customer() + row.round())
        .toList();
  }

  /** B is served in its place in round 1. No job of it waits after that. */
  @Test
  void theTurnOfACustomerWithoutFurtherJobsIsRecordedUntilTheNextRoundPassesIt() {
    play.ready("A", 9).ready("B", 1).ready("C", 9);
    noNewcomers();
    assertThat(play.chooseEach(2)).containsExactly("A1", "B1");
    assertThat(recorded()).containsExactly("B1");
    assertThat(play.chooseEach(2)).containsExactly("C1", "A2");
    assertThat(recorded()).containsExactly("B1");
    assertThat(play.turns().round()).isEqualTo(2);
    assertThat(play.chooseEach(1)).containsExactly("C2");
    assertThat(recorded()).isEmpty();
  }

  /** B is served ahead of its place, which is still to come in the same round. */
  @Test
  void aTurnAheadOfItsPlaceIsRecordedInThatRound() {
    play.ready("A", 9).ready("C", 9);
    noNewcomers();
    assertThat(play.chooseEach(1)).containsExactly("A1");
    play.ready("B", 1);
    assertThat(play.chooseEach(2)).containsExactly("B1", "C1");
    assertThat(recorded()).containsExactly("B1");
    play.ready("B", 1);
    assertThat(play.chooseEach(2)).as("one turn in a round").containsExactly("A2", "B2");
  }

  @ParameterizedTest
  @CsvSource({
    "'{}',                            ''",
    "'{\"maxInFlight\": {\"A\": 9}}', A1",
    "'{\"maxInFlight\": {\"B\": 9}}', ''"
  })
  void theTurnOfACustomerWithFurtherJobsIsRecordedIfItHasALimit(
      String definition, String recorded) {
    play.as(definition).ready("A", 3);
    noNewcomers();
    assertThat(play.choose(1)).containsExactly("A1");
    assertThat(String.join(" ", recorded())).isEqualTo(recorded);
  }

  /** A store refuses two rows with one key. */
  @Test
  void aChoiceThatGivesACustomerManyTurnsRecordsTheLastOne() {
    play.as("{\"maxInFlight\": {\"A\": 9}}").ready("A", 9).ready("B", 9);
    Set<PoolRow> added = play.decide(6).added();
    assertThat(added).extracting(PoolRow::key).doesNotHaveDuplicates();
    assertThat(added).contains(new Served(ID, 5, "A", 3));
  }

  /** The choice serves B in round 1 and passes it in round 2. */
  @Test
  void aTurnIsNotRecordedIfTheSameChoicePassesItInTheNextRound() {
    play.ready("A", 9).ready("B", 1).ready("C", 9);
    assertThat(play.choose(6)).containsExactly("A1", "B1", "C1", "A2", "C2", "A3");
    assertThat(recorded()).doesNotContain("B1");
  }
}
