package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.pool.Pool;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores the waiting jobs of a pool by another order, before the pool chooses by that order. If a
 * call has too little time, the next call continues. By {@code FIFO}, all jobs have rows of the
 * customer without a name. A change from {@code FIFO} reads only these rows, and the state stores
 * how far it has got, because the jobs without a customer keep their rows. A change to {@code FIFO}
 * reads only the rows of the other customers, each of which it removes.
 */
final class PoolOrder {

  private static final int PAGE = 100;

  private static final int LEAST_URGENT = 9;

  private final Shared shared;
  private final Pool pool;
  private final PoolState state;

  PoolOrder(Shared shared, Pool pool, PoolState state) {
    this.shared = shared;
    this.pool = pool;
    this.state = state;
  }

  /** Whether all jobs have their places in the order; false if the time was too short. */
  Attempt<Boolean> store(Deadline deadline) {
    boolean isFifo = pool.order() == Order.FIFO;
    String start = isFifo || state.orderedUpTo() == null ? PoolRow.READY : state.orderedUpTo();
    for (int priority = 0; priority <= LEAST_URGENT; priority++) {
      // The customer without a name sorts before the other customers of its priority.
      String ofNoCustomer = PoolRow.of(priority, "");
      String first = isFifo ? PoolRow.after(ofNoCustomer) : PoolRow.before(ofNoCustomer);
      String end = PoolRow.after(isFifo ? PoolRow.of(priority) : ofNoCustomer);
      String left = store(first.compareTo(start) < 0 ? start : first, end, deadline);
      if (left != null) {
        PoolState reached = state.ordering(isFifo ? PoolRow.READY : left);
        return Attempt.of(shared.pools().update(state, reached), false);
      }
    }
    return Attempt.of(shared.pools().update(state, state.ordered(pool.order())), true);
  }

  /** Stores the rows between two keys; returns where to continue, null if none are left. */
  private @Nullable String store(String from, String until, Deadline deadline) {
    String after = from;
    while (after.compareTo(until) < 0) {
      if (deadline.hasPassed()) {
        return after;
      }
      List<PoolRow> page = shared.pools().rows(state.pool(), after, until, PAGE);
      if (!page.isEmpty()) {
        store(page);
      }
      after = page.size() < PAGE ? until : page.get(PAGE - 1).key();
    }
    return null;
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
    if (!removed.isEmpty()) {
      new PoolQueue(shared.pools()).enter(placed);
      shared.pools().remove(removed);
    }
  }

  private @Nullable ReadyJob placed(ReadyJob row, Map<JobId, Job> jobs) {
    Job job = jobs.get(row.job());
    return job != null && PoolQueue.isAt(row, job) ? PoolQueue.row(job, pool.order()) : null;
  }
}
