package dev.carillon.campaign.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.campaign.judge.Damage.Lost;
import dev.carillon.campaign.judge.Damage.Owner;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.DeploymentAttempt.Answer;
import dev.carillon.campaign.judge.History.CalendarVersion;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Operation;
import dev.carillon.campaign.judge.History.StoredJob;
import dev.carillon.campaign.judge.History.StrandedJob;
import dev.carillon.campaign.judge.History.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What damage of "s" from second 100 to 130 explains, and what it does not. */
class DamageTest {

  private static long at(double second) {
    return LimitHistory.at(second);
  }

  private static Damage damage(@Nullable String job, Lost lost, long to) {
    return new Damage("s", Set.of("s"), job, Owner.SCHEDULES, lost, at(100), to);
  }

  private static boolean postpones(Damage damage, String schedule, double second, long next) {
    return damage.postpones(new StrandedJob("g", schedule, "j", at(90), at(second), next));
  }

  @Test
  void aScheduleThatNeedsTheItemIsJudgedAsIfAFaultLastedSoLong() {
    History history = new LimitHistory().history();
    List<Damage> damages = List.of(damage(null, Lost.NOTHING, at(130)));
    History seen = Damage.seenBy("s", history, damages);
    assertThat(List.of(seen.faultsFrom(), seen.faultsTo())).containsExactly(at(100), at(130));
    assertThat(Damage.seenBy("other", history, damages)).isSameAs(history);
  }

  @Test
  void aJobThatNeedsTheItemIsCheckedAgainWithinAMinute() {
    Damage damage = damage(null, Lost.NOTHING, at(130));
    assertThat(postpones(damage, "s", 110, at(170))).isTrue();
    assertThat(postpones(damage, "s", 110, at(180))).isFalse();
    assertThat(postpones(damage, "s", 110, History.NEVER)).isFalse();
    assertThat(postpones(damage, "s", 99, at(110))).isFalse();
    assertThat(postpones(damage, "s", 150, at(200))).isFalse();
    assertThat(postpones(damage, "other", 110, at(170))).isFalse();
  }

  @Test
  void anUnreadableJobPostponesNoOtherOfItsSchedule() {
    assertThat(postpones(damage("j", Lost.NOTHING, at(130)), "s", 110, at(170))).isTrue();
    assertThat(postpones(damage("k", Lost.NOTHING, at(130)), "s", 110, at(170))).isFalse();
  }

  @Test
  void aListLeavesOutAJobWhileItIsUnreadable() {
    Damage damage = damage("j", Lost.NOTHING, at(130));
    assertThat(damage.hides("j", at(110))).isTrue();
    assertThat(damage.hides("k", at(110))).isFalse();
    assertThat(damage.hides("j", at(135))).isFalse();
    assertThat(damage(null, Lost.NOTHING, at(130)).hides(null, at(110))).isFalse();
  }

  @Test
  void onlyAReplacedHeadCancelsTheJobsOfItsLife() {
    StoredJob before = LimitHistory.job("j", "s", "CANCELLED", 131, Why.NOTHING);
    Damage replaced = damage(null, Lost.LIFE, at(130));
    assertThat(replaced.mayCancel(before)).isTrue();
    assertThat(damage(null, Lost.LAUNCHES, at(130)).mayCancel(before)).isFalse();
    assertThat(replaced.mayCancel(LimitHistory.job("j", "s", "CANCELLED", 110, Why.NOTHING)))
        .as("cancelled before")
        .isFalse();
    assertThat(replaced.mayCancel(LimitHistory.job("j", "s", "CANCELLED", 150, Why.NOTHING)))
        .as("began after")
        .isFalse();
    assertThat(replaced.mayCancel(LimitHistory.job("j", "t", "CANCELLED", 131, Why.NOTHING)))
        .isFalse();
  }

  @Test
  void onlyAReplacedGateForgetsLaunches() {
    assertThat(Damage.forgottenUntil(List.of(damage(null, Lost.LAUNCHES, at(130))), 5_000))
        .isEqualTo(at(135));
    assertThat(Damage.forgottenUntil(List.of(damage(null, Lost.NOTHING, at(130))), 5_000))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aCalendarThatReplacedAnUnreadableOneKeepsNoFormerVersion() {
    CalendarVersion before = new CalendarVersion(at(90), at(91), List.of());
    CalendarVersion replacing = new CalendarVersion(at(129), at(131), List.of());
    assertThat(before.replacing(at(130)).keepsFormer()).isTrue();
    assertThat(replacing.replacing(at(130)).keepsFormer()).isFalse();
  }

  @Test
  void itEndsAtTheLatestWhenTheScheduleWasStoredOrDeleted() {
    Damage staying = damage(null, Lost.NOTHING, History.NEVER);
    assertThat(staying.endedBy(List.of(done(Kind.PUT, 90, 95), done(Kind.SUSPEND, 110, 111))))
        .isEqualTo(staying);
    assertThat(staying.endedBy(List.of(done(Kind.DELETE, 110, 112), done(Kind.PUT, 120, 121))).to())
        .isEqualTo(at(112));
  }

  private static Operation done(Kind kind, double called, double returned) {
    return new Operation("s", kind, 1, null, at(called), at(returned), true, null);
  }

  @Test
  void anItemThatStaysUnreadableExcusesWhatNeedsItButNoPutOrDelete() {
    List<Damage> staying = List.of(damage(null, Lost.NOTHING, History.NEVER));
    assertThat(Damage.excuses(new Finding(Finding.Kind.LOST, "s", null, ""), staying)).isTrue();
    assertThat(Damage.excuses(new Finding(Finding.Kind.DOUBLED, "s", null, ""), staying)).isFalse();
    assertThat(Damage.excuses(new Finding(Finding.Kind.LOST, "other", null, ""), staying))
        .isFalse();
    assertThat(Damage.excuses(new Finding(Finding.Kind.BROKEN, "POST x", null, ""), staying))
        .isTrue();
    assertThat(Damage.excuses(new Finding(Finding.Kind.BROKEN, "PUT x", null, ""), staying))
        .isFalse();
    List<Damage> passed = List.of(damage(null, Lost.NOTHING, at(130)));
    assertThat(Damage.excuses(new Finding(Finding.Kind.LOST, "s", null, ""), passed)).isFalse();
  }

  @Test
  void aTickAndADeploymentReplaceWhatTheyCannotRead() {
    assertThat(unreplaced(Owner.MASTER, History.NEVER, List.of())).hasSize(1);
    assertThat(unreplaced(Owner.MASTER, at(130), List.of())).isEmpty();
    List<DeploymentAttempt> later = List.of(deployment(110));
    assertThat(unreplaced(Owner.APP, History.NEVER, later)).hasSize(1);
    assertThat(unreplaced(Owner.APP, at(130), later)).isEmpty();
    assertThat(unreplaced(Owner.APP, History.NEVER, List.of(deployment(90)))).isEmpty();
    assertThat(unreplaced(Owner.SCHEDULES, History.NEVER, later)).isEmpty();
  }

  private static List<Finding> unreplaced(Owner owner, long to, List<DeploymentAttempt> attempts) {
    List<Finding> findings = new ArrayList<>();
    new Damage("", Set.of(), null, owner, Lost.NOTHING, at(100), to)
        .judgeReplacement(attempts, findings);
    return findings;
  }

  private static DeploymentAttempt deployment(double called) {
    return new DeploymentAttempt(
        1, Action.DEPLOY, Map.of(), null, at(called), at(called + 1), Answer.DONE);
  }
}
