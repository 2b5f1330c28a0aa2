package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.Why;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.Limits.Window;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hand-written histories from 10:00 on; the window opens at 10:05. */
class ConstraintJudgeTest {

  private static final Pause PAUSE = new Pause(10_000, false);
  private static final RunLimit ONE = new RunLimit(1, "", false);
  private static final int OPENS = 36_300;

  private final LimitHistory history = new LimitHistory();

  private static Window window(boolean skips) {
    return new Window(OPENS, 86_400, "UTC", EnumSet.allOf(DayOfWeek.class), skips);
  }

  private void stored(Ends ends, Limit... all) {
    history.stored(0, "s", new Limits("p", ends, List.of(all)));
  }

  private List<Finding.Kind> found() {
    List<Finding> findings = new ArrayList<>();
    new ConstraintJudge(history.history(), history.launches(), findings).judge();
    return findings.stream().map(Finding::kind).toList();
  }

  private boolean isExplained(double second) {
    String code = UnmetCauses.UNMET;
    StoredJob skipped = LimitHistory.job("x", "s", "SKIPPED", second, new Why(code, List.of("")));
    return new UnmetCauses(history.history()).explain(skipped, history.document("s"));
  }

  @Test
  void aLaunchLongBeforeTheWindowOpensIsFound() {
    stored(Ends.NONE, window(false));
    history.launched(301, "s", "a");
    assertThat(found()).isEmpty();
    history.launched(200, "s", "b");
    assertThat(found()).containsExactly(Finding.Kind.LIMIT);
  }

  @Test
  void aLaunchLessThanThePauseAfterASuccessIsFound() {
    stored(Ends.NAMED, PAUSE);
    history.launched(100, "s", "a").ended(104, "p", "a", true, "SUCCEEDED");
    history.launched(114, "s", "b").ended(115, "p", "b", true, "FAILED");
    history.launched(115.1, "s", "c").ended(116, "p", "c", true, "SUCCEEDED");
    assertThat(found()).isEmpty();
    history.launched(125.9, "s", "d");
    assertThat(found()).containsExactly(Finding.Kind.LIMIT);
  }

  @Test
  void aLaunchBesideAnUnfinishedRunIsFound() {
    stored(Ends.NAMED, PAUSE);
    history.launched(100, "s", "a").launched(130, "s", "b");
    history.ended(131, "p", "a", true, "FAILED");
    assertThat(found()).containsExactly(Finding.Kind.LIMIT);
  }

  @Test
  void anEndWithoutARunEndsAnyRun() {
    stored(Ends.UNNAMED, ONE);
    history.launched(100, "s", "a").ended(104, "p", "a", false, "CANCELLED");
    history.launched(104.1, "s", "b");
    assertThat(found()).isEmpty();
    history.launched(110, "s", "c");
    assertThat(found()).containsExactly(Finding.Kind.LIMIT);
  }

  @Test
  void aJobThatMustEndAtItsFirstCheckIsNotLaunchedLater() {
    RunLimit skips = new RunLimit(1, "", true);
    stored(Ends.NAMED, skips);
    history.launched(100, "s", "a").ended(150, "p", "a", true, "SUCCEEDED");
    history.launched(151, "s", "b").ended(152, "p", "b", true, "SUCCEEDED");
    history.job("b", "s", "SUCCEEDED", 151);
    assertThat(found()).isEmpty();
    history.launched(160, "s", "c").job("c", "s", "SUCCEEDED", 140);
    assertThat(found()).containsExactly(Finding.Kind.UNASKED);
  }

  @Test
  void aJobMayEndWhileItsWindowIsClosed() {
    stored(Ends.NONE, window(true));
    assertThat(isExplained(200)).isTrue();
    assertThat(isExplained(310)).isFalse();
  }

  @Test
  void aJobMayNotEndBecauseOfARunThatFailed() {
    stored(Ends.NAMED, new Pause(10_000, true));
    history.launched(100, "s", "a").ended(101, "p", "a", true, "FAILED");
    assertThat(isExplained(100.5)).isTrue();
    assertThat(isExplained(109)).isFalse();
  }

  @Test
  void aJobMayEndLessThanThePauseAfterASuccess() {
    stored(Ends.NAMED, new Pause(10_000, true));
    history.launched(100, "s", "a").ended(101, "p", "a", true, "SUCCEEDED");
    assertThat(isExplained(109)).isTrue();
    assertThat(isExplained(120)).isFalse();
  }

  /** The report of the second run waits while the request of the first is not stored as sent. */
  @Test
  void aJobMayEndBesideALaunchThatAFaultInterrupted() {
    stored(Ends.UNNAMED, new Pause(10_000, true));
    history.launched(40, "s", "b").ended(42, "p", "b", false, "CANCELLED");
    assertThat(isExplained(60)).isFalse();
    history.job("a", "s", "CANCELLED", 20).launched(49, "s", "a");
    history.ended(52, "p", "a", false, "CANCELLED");
    assertThat(isExplained(60)).isTrue();
    assertThat(isExplained(110)).isFalse();
  }

  @Test
  void aJobMayEndAfterARepeatedRequestThatItsQueueDropped() {
    stored(Ends.NONE, new RateLimit(1, 8_000, "", true));
    history.launched(100, "s", "a");
    assertThat(isExplained(101)).isTrue();
    assertThat(isExplained(160.5)).isFalse();
    history.repeated(160, "s", "a");
    assertThat(isExplained(160.5)).isTrue();
  }

  @Test
  void aSecondReportOfARequestThatWasSentTwiceEndsNoLaterRun() {
    stored(Ends.UNNAMED, new RunLimit(1, "", true));
    history.launched(100, "s", "a").launched(101, "s", "a");
    history.ended(104, "p", "a", false, "FAILED").ended(105, "p", "a", false, "FAILED");
    history.launched(120, "s", "b");
    assertThat(isExplained(125)).isTrue();
    history.ended(126, "p", "b", false, "SUCCEEDED");
    assertThat(isExplained(140)).isFalse();
  }
}
