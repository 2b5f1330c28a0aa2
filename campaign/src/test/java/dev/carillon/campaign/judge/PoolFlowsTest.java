package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.PoolFacts.Stay;
import dev.carillon.campaign.judge.PoolFlows.Busy;
import dev.carillon.campaign.judge.PoolFlows.Flow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job of schedule {@code s} becomes READY in the pool at second 100. */
class PoolFlowsTest {

  private static final Limits LIMITS = new Limits("p", Ends.NAMED, List.of());

  private final LimitHistory history = new LimitHistory().stored(50, "s", LIMITS);

  private Busy busy() {
    List<Busy> all = PoolFlows.of(history.history()).busy(new Flow("c", 0));
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void aJobOfAnUnchangedScheduleWaitsUntilItIsChosen() {
    history.waited(100, "s", "a");
    assertThat(busy().from()).isEqualTo(LimitHistory.at(100));
    assertThat(busy().to()).isEqualTo(History.NEVER);
  }

  @Test
  void aJobWhoseScheduleIsDeletedMayWaitNoLonger() {
    history.waited(100, "s", "a").deleted(130, "s");
    assertThat(busy().to()).isEqualTo(LimitHistory.at(130));
  }

  @Test
  void aJobWhoseScheduleIsReplacedMayWaitNoLonger() {
    history.waited(100, "s", "a").stored(120, "s", LIMITS).deleted(130, "s");
    assertThat(busy().to()).as("the first of two changes").isEqualTo(LimitHistory.at(120));
  }

  @Test
  void aChangeLongBeforeTheJobIsReadyOrOfAnotherScheduleHasNoEffect() {
    history.stored(80, "s", LIMITS).stored(60, "t", LIMITS).waited(100, "s", "a");
    history.deleted(130, "t");
    Stay stay = history.history().pool().stays().get(0);
    assertThat(PoolFlows.of(history.history()).unwantedFrom(stay)).isEqualTo(History.NEVER);
  }

  /** A checker that has read the schedule before the change can store the job as READY after it. */
  @Test
  void aJobThatBecomesReadyRightAfterItsScheduleIsDeletedMayNotWait() {
    history.deleted(99, "s").waited(100, "s", "a");
    Stay stay = history.history().pool().stays().get(0);
    assertThat(PoolFlows.of(history.history()).unwantedFrom(stay)).isEqualTo(LimitHistory.at(99));
  }

  @Test
  void aFailureShortlyAfterOneOfTheLastTurnsOfACustomerCounts() {
    for (int turn = 1; turn <= 4; turn++) {
      history.chosen(160 + 40 * turn, "s", "job" + turn, 100, 100, turn);
    }
    history.failed(202).failed(239).failed(242).failed(256).failed(282);
    history.failed(318);
    PoolFlows flows = PoolFlows.of(history.history());
    Stay last = flows.chosen().get(3);
    assertThat(flows.earlierDisturbances(List.of(new Flow("c", 0)), last, 2))
        .as("those at seconds 242 and 282")
        .isEqualTo(2);
    assertThat(flows.disturbances(last.chosen(), last.chosen())).isEqualTo(1);
    assertThat(flows.earlierDisturbances(List.of(new Flow("d", 0)), last, 2))
        .as("after turns of another customer")
        .isZero();
  }
}
