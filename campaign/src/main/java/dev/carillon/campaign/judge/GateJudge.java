package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.Forgotten;
import dev.carillon.campaign.judge.Judge.Schedule;
import java.util.List;

/** Judges the jobs that were forgotten at gates, unless a change may have cancelled them. */
final class GateJudge {

  private final History history;
  private final Schedule schedule;
  private final List<Finding> findings;

  GateJudge(History history, Schedule schedule, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.findings = findings;
  }

  void judge() {
    for (Forgotten job : history.forgotten()) {
      if (job.schedule().equals(schedule.name()) && isWanted(job)) {
        findings.add(
            new Finding(
                Finding.Kind.LIMIT,
                job.gate(),
                job.jobId(),
                "could go through, and nobody is to look at it"));
      }
    }
  }

  /** Whether the job began in the life of its schedule that was certainly going on. */
  private boolean isWanted(Forgotten job) {
    return !schedule.deletesItself()
        && schedule.lives().stream()
            .filter(life -> life.beginsBy() != History.NEVER)
            .anyMatch(
                life -> life.beginsBy() + Judge.SKEW < job.began() && job.at() < life.endsFrom());
  }
}
