package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Jobs of the customers {@code a} and {@code c} are READY at second 100. One choice at second 200
 * takes jobs of both in turn, then three more of {@code c}; a job of {@code a} waits until second
 * 300.
 */
class PoolSharesJudgeTest {

  private List<Finding> findings(int limit, Map<String, Integer> weights) {
    LimitHistory history =
        new LimitHistory()
            .stored(50, "s", new Limits("p", Ends.NAMED, List.of()))
            .pool(0, new PoolSpec(true, 100, false, weights, Map.of("a", limit), false));
    String customers = "acacccc";
    for (int turn = 1; turn <= customers.length(); turn++) {
      String customer = customers.substring(turn - 1, turn);
      history.chosen(200, "s", customer, customer + turn, 100, 100, turn);
    }
    history.chosen(300, "s", "a", "waiting", 100, 100, customers.length() + 1);
    List<Finding> found = new ArrayList<>();
    new PoolSharesJudge(history.history(), found).judge();
    new WeightedSharesJudge(history.history(), found).judge();
    return found;
  }

  @Test
  void aCustomerThatTheChoiceBringsToItsLimitHasNoFurtherTurnInIt() {
    assertThat(findings(2, Map.of())).isEmpty();
    assertThat(findings(2, Map.of("a", 5))).as("with a weight").isEmpty();
  }

  @Test
  void aCustomerBelowItsLimitHasEqualTurns() {
    assertThat(findings(3, Map.of())).extracting(Finding::about).containsOnly("pool");
    assertThat(findings(3, Map.of("a", 5))).as("with a weight").isNotEmpty();
  }
}
