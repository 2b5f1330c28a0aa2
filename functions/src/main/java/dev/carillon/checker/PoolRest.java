package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Jobs;
import dev.carillon.pool.LeavingJobs;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends a pass over a pool. If nothing in the pool waits or is being moved, the pool rests.
 * Otherwise the attention index keeps the pool, and its waiting jobs are counted once a minute,
 * whether or not the pool can move them. So the age of the oldest job is reported even if the queue
 * has no room and no worker pulls.
 */
final class PoolRest {

  /** How many rows are read first: as a rule, one of them is of a waiting job. */
  private static final int FEW_ROWS = 10;

  private static final int PAGE = 1_000;

  /**
   * The most pages that are read in search of a waiting job; after them, the pool is assumed to
   * have one.
   */
  private static final int MOST_PAGES = 100;

  private final Pools pools;
  private final Jobs jobs;

  PoolRest(Pools pools, Jobs jobs) {
    this.pools = pools;
    this.jobs = jobs;
  }

  /**
   * Lets a pool rest if nothing in it waits. A job that entered while the pool was read can have
   * been missed, so the pool is read again afterwards.
   *
   * @param activity the activity that was read before the pass
   * @param outdated the rows that are examined with the waiting jobs
   * @return false if the pool must choose again, because a job has entered meanwhile or a customer
   *     can have another job in flight
   */
  boolean end(
      PoolState state,
      LeavingJobs leaving,
      PoolActivity activity,
      OutdatedFlights outdated,
      Deadline deadline,
      Instant now) {
    if (isIdle(state, leaving)) {
      pools.rest(activity);
      PoolState present = pools.state(state.pool()).orElse(state);
      return isIdle(present, LeavingJobs.read(present, jobs));
    }
    // Another invocation examines the pool in this minute if it stores the minute first.
    if (activity.isToBeExamined(now) && pools.examine(activity, now)) {
      count(state, leaving, now);
      return !outdated.remove(deadline);
    }
    return true;
  }

  private void count(PoolState state, LeavingJobs leaving, Instant now) {
    Set<JobId> chosen = new HashSet<>(state.leavingJobs());
    leaving.ready().stream()
        .filter(one -> !one.until().isAfter(now))
        .map(Leaving::job)
        .map(ReadyJob::job)
        .forEach(chosen::remove);
    pools.count(state.pool(), chosen);
  }

  /** Whether no job waits, and no chosen job can still be READY or under way. */
  private boolean isIdle(PoolState state, LeavingJobs leaving) {
    return leaving.state().leaving().isEmpty() && !isWaiting(state.pool(), state.leavingJobs());
  }

  /** Whether a job waits that is not among the chosen jobs. */
  boolean isWaiting(PoolId pool, Set<JobId> chosen) {
    String after = PoolRow.READY;
    int limit = FEW_ROWS;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      List<PoolRow> rows = pools.rows(pool, after, PoolRow.after(PoolRow.READY), limit);
      if (rows.stream()
          .anyMatch(row -> row instanceof ReadyJob ready && !chosen.contains(ready.job()))) {
        return true;
      }
      if (rows.size() < limit) {
        return false;
      }
      after = rows.get(limit - 1).key();
      limit = PAGE;
    }
    return true;
  }
}
