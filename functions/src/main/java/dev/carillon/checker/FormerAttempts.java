package dev.carillon.checker;

import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.report.PoolWakeups;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The rows that former attempts of jobs left in pools. They must be removed before the next attempt
 * of a job is decided. If this fails for one pool, only the jobs of that pool are not decided.
 */
final class FormerAttempts {

  private final PoolWakeups pools;
  private final StoredJobs storedJobs;
  private final IndependentSteps steps;

  FormerAttempts(PoolWakeups pools, StoredJobs storedJobs, IndependentSteps steps) {
    this.pools = pools;
    this.storedJobs = storedJobs;
    this.steps = steps;
  }

  /**
   * Removes the rows.
   *
   * @return the jobs that can be decided now; those whose pool cannot be read are checked later
   */
  List<Job> removeRows(Collection<Job> jobs) {
    List<Job> decidable = new ArrayList<>();
    for (List<Job> ofPool : PoolWakeups.byPool(jobs)) {
      steps.run(
          () -> {
            try {
              pools.endedBeforeRetry(ofPool);
              decidable.addAll(ofPool);
            } catch (UnreadableItems damaged) {
              ofPool.forEach(job -> storedJobs.postpone(job.id()));
            }
          });
    }
    return decidable;
  }
}
