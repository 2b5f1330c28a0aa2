package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.RateLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateJudgeTest {

  private static final RateLimit TWO_IN_TEN = new RateLimit(2, 10_000, "", false);
  private static final RateLimit OF_GROUP = new RateLimit(2, 10_000, "g", false);

  private final LimitHistory history = new LimitHistory();

  /** The instant of the last launches that a replaced gate has forgotten. */
  private long forgotten = Long.MIN_VALUE;

  private static Limits limits(String program, Limits.Limit... all) {
    return new Limits(program, Ends.NONE, List.of(all));
  }

  /** The jobs that exceed a rate. */
  private List<String> found() {
    List<Finding> findings = new ArrayList<>();
    new RateJudge(history.history(), history.launches(), forgotten, findings).judge();
    assertThat(findings).allMatch(finding -> finding.kind() == Finding.Kind.LIMIT);
    return findings.stream().map(Finding::jobId).toList();
  }

  @Test
  void intervalIsOpenAtItsStart() {
    history.stored(0, "s", limits("p", TWO_IN_TEN));
    history.launched(100, "s", "a").launched(105, "s", "b").launched(110, "s", "c");
    assertThat(found()).isEmpty();
    history.launched(114.999, "s", "d");
    assertThat(found()).containsExactly("d");
  }

  @Test
  void launchesThatAReplacedGateHasForgottenDoNotCount() {
    history.stored(0, "s", limits("p", TWO_IN_TEN));
    history.launched(100, "s", "a").launched(101, "s", "b").launched(102, "s", "c");
    history.launched(103, "s", "d");
    forgotten = LimitHistory.at(101);
    assertThat(found()).isEmpty();
    forgotten = LimitHistory.at(100);
    assertThat(found()).containsExactly("d");
  }

  @Test
  void schedulesOfAProgramShareARate() {
    history.stored(0, "s", limits("p", TWO_IN_TEN)).stored(0, "t", limits("p", TWO_IN_TEN));
    history.stored(0, "other", limits("q", TWO_IN_TEN));
    history.launched(100, "s", "a").launched(101, "t", "b").launched(102, "other", "c");
    assertThat(found()).isEmpty();
    history.launched(103, "t", "d");
    assertThat(found()).containsExactly("d");
  }

  @Test
  void programsOfAGroupShareARate() {
    history.stored(0, "s", limits("p", OF_GROUP)).stored(0, "t", limits("q", OF_GROUP));
    history.launched(100, "s", "a").launched(101, "t", "b").launched(102, "s", "c");
    assertThat(found()).containsExactly("c");
  }

  @Test
  void programsShareNoRateWithoutAGroup() {
    history.stored(0, "s", limits("p", TWO_IN_TEN)).stored(0, "t", limits("q", TWO_IN_TEN));
    history.launched(100, "s", "a").launched(101, "t", "b").launched(102, "s", "c");
    assertThat(found()).isEmpty();
  }

  /** It is not held back; and a launch that was decided at the same time need not know of it. */
  @Test
  void launchWithoutTheLimitCountsOnceItIsCertainlyKnown() {
    RateLimit slow = new RateLimit(1, 60_000, "", false);
    history.stored(0, "s", limits("p", slow)).stored(0, "free", limits("p"));
    history.launched(100, "free", "a").launched(101, "s", "b").launched(102, "free", "c");
    assertThat(found()).isEmpty();
    history.launched(150, "s", "d");
    assertThat(found()).containsExactly("d");
  }

  @Test
  void stricterRatesCountForAWeakerOne() {
    RateLimit strict = new RateLimit(1, 20_000, "", false);
    history.stored(0, "s", limits("p", TWO_IN_TEN)).stored(0, "t", limits("p", strict));
    history.launched(100, "s", "a").launched(101, "s", "b").launched(102, "t", "c");
    assertThat(found()).isEmpty();
    history.launched(103, "s", "d");
    assertThat(found()).containsExactly("d");
  }

  @Test
  void interruptedLaunchIsCountedAndNotHeldBack() {
    history.stored(0, "s", limits("p", TWO_IN_TEN));
    history.launched(100, "s", "a").launched(101, "s", "b").launched(102, "s", "c");
    history.interrupted("c");
    assertThat(found()).isEmpty();
  }

  @Test
  void launchOfWhichNoFunctionMayKnowDoesNotCount() {
    history.stored(0, "s", limits("p", TWO_IN_TEN));
    history.launchedUnknown(100, "s", "a").launched(101, "s", "b").launched(102, "s", "c");
    assertThat(found()).isEmpty();
  }

  @Test
  void rateCountsFromTheTimeThatItIsStored() {
    history.stored(0, "free", limits("p"));
    history.launched(100, "free", "a").launched(101, "free", "b");
    history.stored(102, "s", limits("p", new RateLimit(1, 60_000, "", false)));
    history.launched(120, "s", "c");
    assertThat(found()).isEmpty();
  }

  @Test
  void rateIsForgottenWithItsSchedule() {
    RateLimit slow = new RateLimit(1, 60_000, "", false);
    history.stored(0, "s", limits("p", slow)).stored(0, "free", limits("p"));
    history.launched(100, "free", "a").deleted(105, "s").stored(110, "s", limits("p", slow));
    history.launched(130, "s", "b");
    assertThat(found()).isEmpty();
  }

  @Test
  void wrongClocksShortenTheInterval() {
    history.stored(0, "s", limits("p", TWO_IN_TEN)).withWrongClocks();
    history.launched(100, "s", "a").launched(101, "s", "b").launched(106.5, "s", "c");
    assertThat(found()).isEmpty();
    history.launched(106.9, "s", "d");
    assertThat(found()).containsExactly("d");
  }
}
