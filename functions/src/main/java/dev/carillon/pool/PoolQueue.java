package dev.carillon.pool;

import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Moving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The jobs that wait in pools: they enter, are chosen, and leave. */
public final class PoolQueue {

  private static final int LEAST_URGENT = 9;

  private final Pools pools;

  public PoolQueue(Pools pools) {
    this.pools = pools;
  }

  /**
   * Jobs begin to wait. Repeating the call changes nothing for those that wait, so a caller that
   * crashed repeats it.
   */
  public void enter(Collection<ReadyJob> jobs) {
    Map<String, Newcomer> newcomers = new HashMap<>();
    Set<String> known = new HashSet<>();
    for (ReadyJob job : jobs) {
      String prefix = PoolRow.of(job.priority(), job.customer());
      String customer = job.pool() + prefix;
      if (known.add(customer) && !isWaiting(job.pool(), prefix)) {
        newcomers.put(customer, new Newcomer(job.pool(), job.priority(), job.customer()));
      }
    }
    pools.put(jobs);
    pools.put(newcomers.values());
  }

  private boolean isWaiting(PoolId pool, String prefix) {
    return pools.rows(pool, PoolRow.before(prefix), PoolRow.after(prefix), 2).stream()
        .anyMatch(ReadyJob.class::isInstance);
  }

  /**
   * The result of a choice. Its rows are stored after its state: a crash between the two can cost a
   * customer its place in a round, but no job.
   *
   * @param jobs in the order of their turns
   * @param next the state to store before anything else
   * @param added the rows to put
   * @param removed the rows to remove
   * @param isCutShort whether further customers have to be examined
   */
  public record Chosen(
      List<ReadyJob> jobs,
      PoolState next,
      Set<PoolRow> added,
      Set<PoolRow> removed,
      boolean isCutShort) {}

  /**
   * Chooses up to {@code most} jobs. Reads, and stores nothing.
   *
   * @param state without the jobs that have left the pool
   * @param newlyMoved how many of these were moved into the queue
   * @param until when the caller's right to move the jobs ends
   */
  public Chosen choose(
      Pool pool, PoolState state, int most, long newlyMoved, Instant now, Instant until) {
    WaitingCustomers waiting = new WaitingCustomers(pools, pool, state);
    FairChoice choice = new FairChoice(pool, state, waiting, now);
    List<ReadyJob> jobs = new ArrayList<>();
    while (jobs.size() < most) {
      Optional<ReadyJob> next = choice.next();
      if (next.isEmpty()) {
        break;
      }
      jobs.add(next.get());
    }
    List<Moving> moving = new ArrayList<>(state.moving());
    Set<PoolRow> added = waiting.added();
    for (ReadyJob job : jobs) {
      moving.add(new Moving(job, until));
      if (pool.limit(job.customer()) != null) {
        added.add(new InFlight(job.pool(), job.customer(), job.job()));
      }
    }
    PoolState next = state.next(choice.turns(), moving, newlyMoved).serving(jobs, now);
    return new Chosen(jobs, next, added, waiting.removed(), choice.isCutShort());
  }

  /**
   * A job of a customer with a limit is no longer in flight: if jobs of the customer wait, it is
   * served next.
   */
  public void freed(Pool pool, PoolId id, String customer) {
    if (pool.limit(customer) == null) {
      return;
    }
    List<Newcomer> waiting = new ArrayList<>();
    for (int priority = 0; priority <= LEAST_URGENT; priority++) {
      if (isWaiting(id, PoolRow.of(priority, customer))) {
        waiting.add(new Newcomer(id, priority, customer));
      }
    }
    pools.put(waiting);
  }
}
