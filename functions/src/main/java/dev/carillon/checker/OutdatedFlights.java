package dev.carillon.checker;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.job.UnreadableJobs;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.InFlight;
import dev.carillon.pool.Pools;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes the rows of attempts that are not in flight any more and that still count for the limits
 * of their customers. If an invocation stalls after it has chosen a job, it can store such a row
 * after the attempt has ended, and no later step of the job removes the row.
 *
 * <p>Also finds the jobs that checkers are sending. If the pool's state was replaced, it does not
 * name them, and no choice comes to one whose customer it keeps at the limit.
 *
 * <p>Only the jobs of customers that are at their limits are read. A row of another customer does
 * not stop a job.
 */
final class OutdatedFlights {

  private static final int PAGE = 1_000;

  private final Pools pools;
  private final Jobs jobs;
  private final PoolId id;
  private final Pool pool;
  private final List<Job> leased = new ArrayList<>();

  OutdatedFlights(Pools pools, Jobs jobs, PoolId id, Pool pool) {
    this.pools = pools;
    this.jobs = jobs;
    this.id = id;
    this.pool = pool;
  }

  /**
   * Removes the rows. If the deadline passes first, the next call removes the others.
   *
   * @return whether a customer can have another job in flight now
   */
  boolean remove(Deadline deadline) {
    boolean isRemoved = false;
    for (List<InFlight> ofCustomer : rows(deadline).values()) {
      isRemoved |= !deadline.hasPassed() && remove(ofCustomer);
    }
    return isRemoved;
  }

  /** The jobs that checkers were sending when the rows were examined. */
  List<Job> leased() {
    return leased;
  }

  /** The rows, by customer. */
  private Map<String, List<InFlight>> rows(Deadline deadline) {
    Map<String, List<InFlight>> all = new LinkedHashMap<>();
    if (pool.limits().isEmpty()) {
      return all;
    }
    RowPages pages = RowPages.of(pools, id, PoolRow.FLIGHT, PAGE);
    while (pages.hasNext() && !deadline.hasPassed()) {
      for (PoolRow row : pages.next()) {
        InFlight flight = (InFlight) row;
        all.computeIfAbsent(flight.customer(), any -> new ArrayList<>()).add(flight);
      }
    }
    return all;
  }

  private boolean remove(List<InFlight> ofCustomer) {
    String customer = ofCustomer.get(0).customer();
    Integer limit = pool.limit(customer);
    if (limit == null || ofCustomer.size() < limit) {
      return false;
    }
    Set<JobId> unreadable = new HashSet<>();
    List<JobId> ids = ofCustomer.stream().map(InFlight::job).distinct().toList();
    Map<JobId, Job> found = UnreadableJobs.readable(ids, unreadable, jobs::find);
    found.values().stream().filter(job -> job.launchingUntil() != null).forEach(leased::add);
    List<InFlight> outdated =
        ofCustomer.stream()
            .filter(row -> !unreadable.contains(row.job()))
            .filter(row -> !PoolQueue.isOngoing(row, found.get(row.job())))
            .toList();
    if (outdated.isEmpty()) {
      return false;
    }
    pools.remove(outdated);
    new PoolQueue(pools).freed(pool, id, customer);
    return true;
  }
}
