package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A pool changes its order from fair to fifo at second 200. Job {@code a} is READY at second 100,
 * job {@code b} at second 110; {@code b} is chosen first.
 */
class PoolOrderJudgeTest {

  private final LimitHistory history =
      new LimitHistory()
          .stored(50, "s", new Limits("p", Ends.NAMED, List.of()))
          .pool(0, false)
          .pool(200, true)
          .chosen(270, "s", "a", 100, 100, 2);

  private List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    new PoolJudge(history.history(), found).judge();
    return found.stream().filter(it -> it.kind() == Finding.Kind.EARLY).toList();
  }

  @Test
  void aJobThatWasMovedToTheNewOrderMayNotOvertake() {
    history.chosen(260, "s", "b", 110, 110, 1);
    assertThat(findings()).extracting(Finding::jobId).containsExactly("b");
  }

  @Test
  void aJobThatWasStoredByTheOldOrderRightAfterTheChangeMayOvertake() {
    history.chosen(260, "s", "b", 110, 207, 1);
    assertThat(findings()).isEmpty();
  }

  @Test
  void aJobThatWasStoredByTheOldOrderLongAfterTheChangeMayNotOvertake() {
    history.chosen(260, "s", "b", 110, 216, 1);
    assertThat(findings()).hasSize(1);
  }
}
