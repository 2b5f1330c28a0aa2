package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How many jobs the customers with a limit have in flight, as far as one choice needs them. */
final class Flights {

  private final Pools pools;
  private final PoolId id;
  private final Pool pool;
  private final List<Leaving> leaving;
  private final Set<JobId> leavingJobs;
  private final Map<String, Integer> counts = new HashMap<>();

  /** The jobs with a stored row {@code InFlight}, by customer, without the chosen jobs. */
  private final Map<String, Set<JobId>> rows = new HashMap<>();

  Flights(Pools pools, Pool pool, PoolState state) {
    this.pools = pools;
    this.id = state.pool();
    this.pool = pool;
    this.leaving = state.leaving();
    this.leavingJobs = state.leavingJobs();
  }

  /**
   * Whether the customer of a job has as many other jobs in flight as its limit allows. The job
   * itself can have a row if a checker is sending it and the pool's state was replaced meanwhile.
   */
  boolean isFull(ReadyJob job) {
    Integer limit = pool.limit(job.customer());
    if (limit == null) {
      return false;
    }
    int count = counts.computeIfAbsent(job.customer(), name -> count(name, limit));
    boolean isCounted = rows.getOrDefault(job.customer(), Set.of()).contains(job.job());
    return (isCounted ? count - 1 : count) >= limit;
  }

  /** A chosen job counts although its row may not be stored yet. */
  private int count(String name, int limit) {
    String prefix = PoolRow.flights(name);
    Set<JobId> stored = new HashSet<>();
    for (PoolRow row :
        pools.rows(id, prefix, PoolRow.after(prefix), limit + PoolState.MOST_LEAVING)) {
      stored.add(((InFlight) row).job());
    }
    stored.removeAll(leavingJobs);
    rows.put(name, stored);
    long chosen = leaving.stream().filter(one -> one.job().customer().equals(name)).count();
    return (int) (stored.size() + chosen);
  }

  /** Counts a further chosen job. */
  void add(String customer) {
    counts.computeIfPresent(customer, (name, count) -> count + 1);
  }
}
