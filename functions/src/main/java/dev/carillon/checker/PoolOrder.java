package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stores the waiting jobs of a pool by another order, before the pool chooses by it. */
final class PoolOrder {

  private static final int PAGE = 100;

  private final Shared shared;
  private final Pool pool;
  private final PoolState state;

  PoolOrder(Shared shared, Pool pool, PoolState state) {
    this.shared = shared;
    this.pool = pool;
    this.state = state;
  }

  /**
   * @return false if jobs are left, or another function was first; the call can be repeated
   */
  boolean store(Deadline deadline) {
    String after = PoolRow.READY;
    while (!deadline.hasPassed()) {
      List<PoolRow> page =
          shared.pools().rows(state.pool(), after, PoolRow.after(PoolRow.READY), PAGE);
      store(page);
      if (page.size() < PAGE) {
        return shared.pools().update(state, state.ordered(pool.order()));
      }
      after = page.get(PAGE - 1).key();
    }
    return false;
  }

  private void store(List<PoolRow> page) {
    List<JobId> ids = new ArrayList<>();
    page.stream()
        .filter(ReadyJob.class::isInstance)
        .forEach(row -> ids.add(((ReadyJob) row).job()));
    Map<JobId, Job> jobs = shared.jobs().find(ids);
    List<ReadyJob> placed = new ArrayList<>();
    List<PoolRow> removed = new ArrayList<>();
    for (PoolRow row : page) {
      ReadyJob now = row instanceof ReadyJob ready ? placed(ready, jobs) : null;
      if (now == null) {
        removed.add(row);
      } else if (!now.key().equals(row.key())) {
        placed.add(now);
        removed.add(row);
      }
    }
    new PoolQueue(shared.pools()).enter(placed);
    shared.pools().remove(removed);
  }

  private @Nullable ReadyJob placed(ReadyJob row, Map<JobId, Job> jobs) {
    Job job = jobs.get(row.job());
    return job != null && PoolQueue.isAt(row, job) ? PoolQueue.row(job, pool.order()) : null;
  }
}
