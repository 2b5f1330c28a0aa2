package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The customer {@code c} has no weight, and the rows of its first two turns are not stored. So it
 * has three turns in its first round, and counts as three customers until the end of the next one
 * (seed 9015018). All jobs are READY at second 100, and the turns are 40 seconds apart.
 */
class UnstoredTurnTest {

  private static final String TURNS = "acabacabcacbacabc";

  private final LimitHistory history =
      new LimitHistory().stored(50, "s", new Limits("p", Ends.NAMED, List.of()));

  /** Fails invocations after the first two turns of {@code c}. */
  private List<Finding> findings(double after) {
    history.pool(0, new PoolSpec(true, 100, false, Map.of("a", 3, "b", 2), Map.of(), false));
    for (int turn = 1; turn <= TURNS.length(); turn++) {
      chosen(second(turn), TURNS.substring(turn - 1, turn), turn);
    }
    int further = TURNS.length();
    for (String customer : List.of("a", "b", "c")) {
      further++;
      chosen(5_000, customer, further);
    }
    history.failed(second(2) + after).failed(second(6) + after);
    List<Finding> found = new ArrayList<>();
    new WeightedSharesJudge(history.history(), found).judge();
    return found;
  }

  private void chosen(double second, String customer, int turn) {
    history.chosen(second, "s", customer, customer + turn, 100, 100, turn);
  }

  private static double second(int turn) {
    return 200 + 40 * turn;
  }

  @Test
  void aFailureAfterATurnExcusesLaterTurnsOfItsCustomer() {
    assertThat(findings(1)).isEmpty();
  }

  @Test
  void aFailureOfAnInvocationThatMadeNoneOfTheTurnsExcusesNothing() {
    assertThat(findings(20)).extracting(Finding::about).contains("pool");
  }
}
