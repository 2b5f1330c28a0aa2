package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.Deploying.Answer;
import java.util.List;

/** Judges what users of an app were told. */
final class AppJudge {

  /**
   * Milliseconds after the end of a change of an app for which others may be refused: a lease, and
   * what clocks differ.
   */
  private static final long LEASE = 40_000 + 2 * Judge.SKEW;

  private final List<Deploying> tries;
  private final List<Finding> findings;

  AppJudge(List<Deploying> tries, List<Finding> findings) {
    this.tries = tries;
    this.findings = findings;
  }

  void judge() {
    for (Deploying one : tries) {
      if (one.action() == Action.FAULTY && one.answer() == Answer.DONE) {
        find(Finding.Kind.UNASKED, "a deployment was carried out that is wrong");
      }
      if (one.action().takesApp()
          && one.answer() == Answer.REFUSED
          && tries.stream().noneMatch(other -> mayHold(other, one))) {
        find(Finding.Kind.STUCK, "a change was refused, but nobody else changes the app");
      }
    }
  }

  private static boolean mayHold(Deploying other, Deploying refused) {
    return other.answer() != Answer.REFUSED
        && other.called() <= refused.ended()
        && other.ended() + LEASE >= refused.called();
  }

  private void find(Finding.Kind kind, String what) {
    findings.add(new Finding(kind, "-", null, what));
  }
}
