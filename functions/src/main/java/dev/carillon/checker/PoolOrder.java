package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.Precedence;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.pool.Pool;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores the waiting jobs of a pool by another order, before the pool chooses by that order. If a
 * call has too little time, the next call continues. In the order {@code FIFO}, the rows of all
 * jobs belong to the customer without a name. A change from {@code FIFO} reads only these rows. The
 * jobs without a customer keep their rows, so the state stores the position up to which the rows
 * were read. A change to {@code FIFO} reads only the rows of the other customers, and removes each
 * of them.
 *
 * <p>The rows of the former order are removed together with a change of the state. So an invocation
 * that stalls cannot remove a row on which another invocation relies: the state has changed then.
 *
 * <p>A state that replaced an unreadable one does not name the chosen jobs that had not left the
 * pool. The change of the order adds those of these jobs to the state that count for a limit.
 */
final class PoolOrder {

  /** All rows of a page can be removed by one call. */
  private static final int PAGE = Pools.MOST_REMOVED;

  private final Shared shared;
  private final Pool pool;
  private final Instant now;

  /** The stored state, as far as this invocation knows. */
  private PoolState state;

  PoolOrder(Shared shared, Pool pool, PoolState state, Instant now) {
    this.shared = shared;
    this.pool = pool;
    this.state = state;
    this.now = now;
  }

  /** Whether all jobs have their places in the order; false if the time was too short. */
  Attempt<Boolean> store(Deadline deadline) {
    boolean isFifo = pool.order() == Order.FIFO;
    String start = isFifo || state.orderedUpTo() == null ? PoolRow.READY : state.orderedUpTo();
    for (int priority = 0; priority <= Precedence.LEAST_URGENT; priority++) {
      // The customer without a name sorts before the other customers of its priority.
      String ofNoCustomer = PoolRow.of(priority, "");
      String first = isFifo ? PoolRow.after(ofNoCustomer) : PoolRow.before(ofNoCustomer);
      String end = PoolRow.after(isFifo ? PoolRow.of(priority) : ofNoCustomer);
      String after = first.compareTo(start) < 0 ? start : first;
      RowPages pages = new RowPages(shared.pools(), state.pool(), after, end, PAGE);
      while (pages.hasNext()) {
        if (deadline.hasPassed()) {
          return Attempt.of(shared.pools().update(state, reached(pages)), false);
        }
        if (!store(pages.next(), pages)) {
          return Attempt.lostRace();
        }
      }
    }
    PoolState ordered = state.ordered(pool.order(), chosenBefore());
    return Attempt.of(shared.pools().update(state, ordered), true);
  }

  /**
   * The next state. A change to {@code FIFO} removes what it has read, except the few rows of jobs
   * that cannot be read, so it needs no position.
   */
  private PoolState reached(RowPages pages) {
    return state.ordering(pool.order() == Order.FIFO ? PoolRow.READY : pages.position());
  }

  /**
   * The jobs that count as in flight, still wait, and are not named by the state. Without their
   * turns, they would count for the limits of their customers and never be chosen.
   */
  private List<Leaving> chosenBefore() {
    List<Leaving> found = new ArrayList<>();
    Set<JobId> known = state.leavingJobs();
    RowPages pages = RowPages.of(shared.pools(), state.pool(), PoolRow.FLIGHT, PAGE);
    while (pages.hasNext()) {
      List<PoolRow> page = pages.next();
      List<JobId> ids = page.stream().map(row -> ((InFlight) row).job()).toList();
      Map<JobId, Job> jobs = UnreadableJobs.readable(ids, new HashSet<>(), shared.jobs()::find);
      for (PoolRow row : page) {
        InFlight flight = (InFlight) row;
        Job job = jobs.get(flight.job());
        if (job != null && PoolQueue.isAt(flight, job) && known.add(flight.job())) {
          // Until this instant, the invocation that chose the job may still take it out.
          Instant until = now.plus(PoolQueue.HOLD);
          ReadyJob ready = PoolQueue.row(job, pool.order());
          found.add(new Leaving(ready, until, pool.queue() == null, 0));
        }
      }
    }
    return found;
  }

  /**
   * Stores the rows of a page by the order; false if another invocation has changed the state. The
   * row of a job that cannot be read stays as it is. Nothing else finds the job once it can be
   * read.
   */
  private boolean store(List<PoolRow> page, RowPages pages) {
    List<JobId> ids = new ArrayList<>();
    page.stream()
        .filter(ReadyJob.class::isInstance)
        .forEach(row -> ids.add(((ReadyJob) row).job()));
    Set<JobId> unreadable = new HashSet<>();
    Map<JobId, Job> jobs = UnreadableJobs.readable(ids, unreadable, shared.jobs()::find);
    List<ReadyJob> placed = new ArrayList<>();
    List<PoolRow> removed = new ArrayList<>();
    for (PoolRow row : page) {
      if (row instanceof ReadyJob ready && unreadable.contains(ready.job())) {
        continue;
      }
      ReadyJob now = row instanceof ReadyJob ready ? placed(ready, jobs) : null;
      if (now == null) {
        removed.add(row);
      } else if (!now.key().equals(row.key())) {
        placed.add(now);
        removed.add(row);
      }
    }
    if (removed.isEmpty()) {
      return true;
    }
    new PoolQueue(shared.pools()).enter(placed, pool.weights().keySet());
    PoolState before = state;
    state = reached(pages);
    return shared.pools().reorder(before, state, removed);
  }

  /**
   * A job that a checker is sending has a place, too. If the checker has crashed and the state was
   * replaced, nothing but the next choice finds the job.
   */
  private @Nullable ReadyJob placed(ReadyJob row, Map<JobId, Job> jobs) {
    Job job = jobs.get(row.job());
    if (job == null || !(PoolQueue.isAt(row, job) || PoolQueue.isBeingMoved(row, job))) {
      return null;
    }
    return PoolQueue.row(job, pool.order());
  }
}
