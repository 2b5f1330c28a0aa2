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
 * call has too little time, the next call continues. By {@code FIFO}, all jobs have rows of the
 * customer without a name. A change from {@code FIFO} reads only these rows. The jobs without a
 * customer keep their rows, so the state stores the position up to which the rows were read. A
 * change to {@code FIFO} reads only the rows of the other customers, and removes each of them.
 *
 * <p>A state that replaced an unreadable one does not name the chosen jobs that had not left the
 * pool. The change names those of them again that count for a limit.
 */
final class PoolOrder {

  private static final int PAGE = 100;

  private final Shared shared;
  private final Pool pool;
  private final PoolState state;
  private final Instant now;

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
      String left = store(first.compareTo(start) < 0 ? start : first, end, deadline);
      if (left != null) {
        PoolState reached = state.ordering(isFifo ? PoolRow.READY : left);
        return Attempt.of(shared.pools().update(state, reached), false);
      }
    }
    PoolState ordered = state.ordered(pool.order(), chosenBefore());
    return Attempt.of(shared.pools().update(state, ordered), true);
  }

  /**
   * The jobs that count as in flight, still wait, and are not named by the state. Without their
   * turns, they would count for the limits of their customers and never be chosen.
   */
  private List<Leaving> chosenBefore() {
    List<Leaving> found = new ArrayList<>();
    Set<JobId> known = state.leavingJobs();
    String after = PoolRow.FLIGHT;
    boolean isLast = false;
    while (!isLast) {
      List<PoolRow> page =
          shared.pools().rows(state.pool(), after, PoolRow.after(PoolRow.FLIGHT), PAGE);
      Map<JobId, Job> jobs = readable(page.stream().map(row -> ((InFlight) row).job()).toList());
      for (PoolRow row : page) {
        InFlight flight = (InFlight) row;
        Job job = jobs.get(flight.job());
        if (job != null && PoolQueue.isAt(flight, job) && known.add(flight.job())) {
          // Until this instant, the invocation that chose the job may still take it out.
          Instant until = now.plus(PoolQueue.HOLD);
          found.add(new Leaving(PoolQueue.row(job, pool.order()), until, pool.queue() == null));
        }
      }
      isLast = page.size() < PAGE;
      after = isLast ? after : page.get(PAGE - 1).key();
    }
    return found;
  }

  /** A job that cannot be read is added to its pool again by its check. */
  private Map<JobId, Job> readable(List<JobId> ids) {
    return UnreadableJobs.readable(ids, new HashSet<>(), shared.jobs()::find);
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
    Map<JobId, Job> jobs = readable(ids);
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
