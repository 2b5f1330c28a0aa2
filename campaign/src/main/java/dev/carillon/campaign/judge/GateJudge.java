package dev.carillon.campaign.judge;

import dev.carillon.campaign.judge.History.StrandedJob;
import java.util.List;

/**
 * Judges the jobs that were stranded at gates. It leaves out jobs that a change may have cancelled.
 */
final class GateJudge {

  private final History history;
  private final Schedule schedule;
  private final List<Damage> damages;
  private final List<Finding> findings;

  GateJudge(History history, Schedule schedule, List<Damage> damages, List<Finding> findings) {
    this.history = history;
    this.schedule = schedule;
    this.damages = damages;
    this.findings = findings;
  }

  void judge() {
    for (StrandedJob job : history.strandedJobs()) {
      if (job.schedule().equals(schedule.name())
          && isWanted(job)
          && damages.stream().noneMatch(damage -> damage.postpones(job))) {
        findings.add(
            new Finding(
                Finding.Kind.LIMIT,
                job.gate(),
                job.jobId(),
                "the job could pass the gate, but no check of the gate is due"));
      }
    }
  }

  /** Whether the job began in a life of its schedule that certainly continued. */
  private boolean isWanted(StrandedJob job) {
    return !schedule.deletesItself()
        && schedule.lives().stream()
            .filter(life -> life.beginsBy() != History.NEVER)
            .anyMatch(
                life -> life.beginsBy() + Judge.SKEW < job.began() && job.at() < life.endsFrom());
  }
}
