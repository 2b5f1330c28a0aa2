package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The launches of a program whose rate is 1 in 21 seconds, or 2 in 42, and the ends of its runs.
 */
class ProgramFactsTest {

  private static final RateLimit ONE = new RateLimit(1, 21_000, "", false);
  private static final RunLimit RUNS = new RunLimit(1, "", false);
  private static final RateLimit TWO = new RateLimit(2, 42_000, "", false);

  private final LimitHistory history = new LimitHistory();

  private boolean isInUse(RateLimit rate, double from) {
    return ProgramFacts.of(history.history(), "p").isInUse(rate, LimitHistory.at(from));
  }

  private void launchesUntilTheEnd(double first) {
    history.stored(0, "s", new Limits("p", Ends.NAMED, List.of(ONE)));
    long end = history.history().end();
    for (double at = first; LimitHistory.at(at) < end; at += 21.5) {
      history.launched(at, "s", "j" + at);
    }
  }

  @Test
  void aRateIsInUseWhileLaunchesFollowAsCloselyAsItAllows() {
    launchesUntilTheEnd(110);
    assertThat(isInUse(ONE, 100)).isTrue();
    assertThat(isInUse(TWO, 100)).isTrue();
    assertThat(isInUse(ONE, 80)).as("no launch for 30 seconds").isFalse();
    assertThat(isInUse(new RateLimit(2, 21_000, "", false), 100)).isFalse();
    assertThat(isInUse(new RateLimit(1, 21_000, "g", false), 100)).as("of a group").isFalse();
  }

  @Test
  void aRateThatNoLaunchUsesAtTheEndIsNotInUse() {
    history.stored(0, "s", new Limits("p", Ends.NAMED, List.of(ONE)));
    history.launched(110, "s", "a").launched(131.5, "s", "b");
    assertThat(isInUse(ONE, 100)).isFalse();
  }

  private long unfinished(double at) {
    return ProgramFacts.of(history.history(), "p").possiblyUnfinished("b", LimitHistory.at(at));
  }

  @Test
  void anEndThatComesRightAfterTheRequestIsReceivedAgain() {
    history.stored(0, "s", new Limits("p", Ends.UNNAMED, List.of())).launched(100, "s", "a");
    history.ended(100.9, "p", "a", false, "FAILED");
    assertThat(unfinished(164)).isEqualTo(1);
    assertThat(unfinished(166)).isZero();
  }

  @Test
  void anEndThatComesLaterHasItsEffectAtOnce() {
    history.stored(0, "s", new Limits("p", Ends.UNNAMED, List.of())).launched(100, "s", "a");
    history.ended(101.1, "p", "a", false, "FAILED");
    assertThat(unfinished(104)).isEqualTo(1);
    assertThat(unfinished(106)).isZero();
  }

  private long keptSlots() {
    return ProgramFacts.of(history.history(), "p").keptSlots();
  }

  /** A launch at second 100 whose request is sent again at second 110. */
  private void launchesTwice(double limited) {
    history.stored(0, "s", new Limits("p", Ends.UNNAMED, List.of())).launched(100, "s", "a");
    history.stored(limited, "t", new Limits("p", Ends.UNNAMED, List.of(RUNS)));
    history.launched(110, "s", "a");
  }

  @Test
  void aRunKeepsItsSlotIfItsEndComesBeforeTheFirstLimitAndItsRequestAgainAfterIt() {
    launchesTwice(105);
    assertThat(keptSlots()).isZero();
    history.ended(104, "p", "a", false, "FAILED");
    assertThat(keptSlots()).isEqualTo(1);
    assertThat(unfinished(400)).isEqualTo(1);
    assertThat(history.history().bound(LimitHistory.at(200), history.document("t")))
        .isEqualTo(History.NEVER);
    assertThat(history.history().bound(LimitHistory.at(200), history.document("s")))
        .as("no limit")
        .isLessThan(History.NEVER);
  }

  @Test
  void aRunKeepsNoSlotIfALimitCountedItFromTheFirst() {
    launchesTwice(99);
    history.ended(104, "p", "a", false, "FAILED");
    assertThat(keptSlots()).isZero();
  }

  @Test
  void aRunKeepsNoSlotIfItsEndComesAfterBothRequests() {
    launchesTwice(105);
    history.ended(111, "p", "a", false, "FAILED");
    assertThat(keptSlots()).isZero();
  }

  @Test
  void aRunKeepsNoSlotIfItsEndNamesIt() {
    launchesTwice(105);
    history.ended(104, "p", "a", true, "FAILED");
    assertThat(keptSlots()).isZero();
  }

  @Test
  void aRunAlsoKeepsItsSlotIfItsQueueDropsTheRequestThatIsSentAgain() {
    history.stored(0, "s", new Limits("p", Ends.UNNAMED, List.of())).launched(100, "s", "a");
    history.stored(105, "t", new Limits("p", Ends.UNNAMED, List.of(RUNS)));
    history.ended(104, "p", "a", false, "FAILED").repeated(110, "s", "b");
    assertThat(keptSlots()).isZero();
    history.repeated(110, "s", "a");
    assertThat(keptSlots()).isEqualTo(1);
  }
}
