package dev.carillon.checker;

import dev.carillon.checker.Decisions.Decided;
import dev.carillon.decision.JobDecision.Leave;
import dev.carillon.decision.JobDecision.Recheck;
import dev.carillon.decision.JobDecision.TakeOut;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs.Update;
import dev.carillon.job.TrackedJob;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.util.List;
import java.util.Set;

/**
 * The decisions about the jobs that a pool is about to choose.
 *
 * @param free the jobs that can be sent now, leased
 * @param held the jobs that stay in the pool, because they cannot be read now, were refused
 *     recently, or could not be ended in time
 * @param leased those of the held jobs that a checker is sending although the pool's state does not
 *     name them, because the state was replaced
 * @param outdated the rows of jobs that have ended or that wait in another place
 */
record PoolMoves(List<Update> free, Set<JobId> held, List<Job> leased, List<ReadyJob> outdated) {

  /** Keeps a job in the pool for which no time was left, so that the next pass decides on it. */
  void hold(JobId job) {
    outdated.removeIf(row -> row.job().equals(job));
    held.add(job);
  }

  /** Whether each job can be sent now. */
  boolean isComplete() {
    return held.isEmpty() && outdated.isEmpty();
  }

  /**
   * Adds a decision about a job that is in its place.
   *
   * @return whether the decision needs no further write and no follow-up check
   */
  boolean add(ReadyJob row, Decided decided, Pool pool) {
    Job after = decided.after();
    if (decided.decision() instanceof TakeOut && after != null) {
      boolean isCounted = pool.limit(row.customer()) != null;
      free.add(new Update(decided.job(), isCounted ? TrackedJob.counted(after) : after));
      return true;
    }
    if (decided.decision() instanceof Leave || decided.decision() instanceof Recheck) {
      held.add(row.job());
      return decided.decision() instanceof Leave;
    }
    outdated.add(row);
    return false;
  }
}
