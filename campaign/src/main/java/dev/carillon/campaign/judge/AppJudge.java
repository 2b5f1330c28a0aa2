package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.DeploymentAttempt.Answer;
import java.util.List;

/** Judges the answers that users of an app received. */
final class AppJudge {

  /**
   * When a change of an app has ended, other changes may still be refused for this many
   * milliseconds: the lease plus the difference of clocks.
   */
  private static final long LEASE = 40_000 + 2 * Judge.SKEW;

  private final List<DeploymentAttempt> attempts;
  private final List<Finding> findings;

  AppJudge(List<DeploymentAttempt> attempts, List<Finding> findings) {
    this.attempts = attempts;
    this.findings = findings;
  }

  void judge() {
    for (DeploymentAttempt one : attempts) {
      if (one.action() == Action.FAULTY && one.answer() == Answer.DONE) {
        find(Finding.Kind.UNASKED, "an invalid deployment was accepted");
      }
      if (one.action().takesApp()
          && one.answer() == Answer.REFUSED
          && attempts.stream().noneMatch(other -> mayHold(other, one))) {
        find(
            Finding.Kind.STUCK,
            "a change was refused although no other change of the app was in progress");
      }
    }
  }

  private static boolean mayHold(DeploymentAttempt other, DeploymentAttempt refused) {
    return other.answer() != Answer.REFUSED
        && other.called() <= refused.ended()
        && other.ended() + LEASE >= refused.called();
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, "-", null, what));
  }
}
