package dev.carillon.report;

import dev.carillon.check.Check;
import dev.carillon.check.Shared;
import dev.carillon.id.PoolId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.job.Transition;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.StoredPool;
import dev.carillon.run.Place;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes pools choose again when jobs leave their queues or no longer count for limits. */
public final class PoolWakeups {

  private static final Logger LOG = LoggerFactory.getLogger(PoolWakeups.class);

  private final Shared shared;
  private final InstantSource clock;

  public PoolWakeups(Shared shared, InstantSource clock) {
    this.shared = shared;
    this.clock = clock;
  }

  /**
   * Counts the jobs that have left the queues of their pools, because a worker has claimed them or
   * no worker ever will claim them. It does not throw, because each tick makes the pools choose as
   * well.
   *
   * @param before the jobs as they were before the change
   * @param after the jobs after the change, in the same order
   */
  public void left(List<Job> before, List<Job> after) {
    Map<PoolId, Integer> counts = new HashMap<>();
    for (int i = 0; i < before.size(); i++) {
      Place place = before.get(i).place();
      boolean hasLeft = wasQueued(before.get(i)) && !wasQueued(after.get(i));
      if (place != null && hasLeft && PoolQueue.wasTaken(after.get(i), place.since())) {
        counts.merge(PoolQueue.pool(before.get(i)), 1, Integer::sum);
      }
    }
    counts.forEach(this::count);
  }

  /** Whether the request is in the queue of the pool, or was on its way there. */
  private static boolean wasQueued(Job job) {
    boolean isInQueue = job.state() == JobState.ENQUEUED;
    return isInQueue || job.state() == JobState.PENDING_LAUNCH;
  }

  private void count(PoolId pool, int jobs) {
    try {
      if (shared.pools().claimed(pool, jobs).isAwake()) {
        choose(pool);
      }
    } catch (RuntimeException unavailable) {
      LOG.warn("could not wake pool {}; the master wakes it", pool, unavailable);
    }
  }

  /**
   * Removes the rows of the former attempts of jobs that wait for another attempt. This must be
   * called before such a job can get a new place in its pool. The call does not examine whether the
   * next attempt is due, because it can become due before the decision on the job.
   */
  public void endedBeforeRetry(Collection<Job> jobs) {
    ended(jobs.stream().filter(PoolWakeups::waitsAgain).toList());
  }

  private static boolean waitsAgain(Job job) {
    return job.state() == JobState.PENDING_CONSTRAINT || job.state() == JobState.RETRY_WAIT;
  }

  /**
   * Removes the rows of attempts that have ended. This must be called after the end is stored; it
   * can be repeated. If the definition of a pool cannot be read, it assumes that the pool limits
   * each customer.
   *
   * @throws UnreadableItems if the activity of a pool cannot be read, so that the pool may not
   *     choose again
   */
  public void ended(Collection<Job> jobs) {
    List<Job> counted =
        jobs.stream().filter(job -> job.place() != null && job.place().isCounted()).toList();
    List<PoolRow> rows = new ArrayList<>(counted.stream().map(PoolQueue::inFlight).toList());
    jobs.stream().filter(PoolWakeups::endedReady).forEach(job -> addPlaces(job, rows));
    if (rows.isEmpty()) {
      return;
    }
    shared.pools().remove(rows);
    Set<PoolId> concerned = new LinkedHashSet<>(counted.stream().map(PoolQueue::pool).toList());
    Set<PoolId> unreadable = new LinkedHashSet<>();
    Map<PoolId, StoredPool> pools =
        UnreadableItems.readable(concerned, unreadable, shared.pools()::find);
    PoolQueue queue = new PoolQueue(shared.pools());
    for (Job job : counted) {
      PoolId id = PoolQueue.pool(job);
      StoredPool pool = pools.get(id);
      if (pool != null) {
        queue.freed(pool.pool(), id, PoolQueue.customer(job));
      } else if (unreadable.contains(id)) {
        queue.freed(id, PoolQueue.customer(job));
      }
    }
    pools.keySet().forEach(this::choose);
    unreadable.forEach(this::choose);
  }

  /**
   * The jobs by their pools, so that a failure of one pool does not prevent the changes of another.
   */
  public static Collection<List<Job>> byPool(Collection<Job> jobs) {
    Map<Optional<PoolId>, List<Job>> pools = new LinkedHashMap<>();
    for (Job job : jobs) {
      Optional<PoolId> pool =
          job.place() == null ? Optional.empty() : Optional.of(PoolQueue.pool(job));
      pools.computeIfAbsent(pool, any -> new ArrayList<>()).add(job);
    }
    return pools.values();
  }

  /** Whether a job ended while it waited in its pool. */
  private static boolean endedReady(Job job) {
    List<Transition> all = job.transitions();
    return job.isEnded()
        && job.place() != null
        && all.size() > 1
        && all.get(all.size() - 2).state() == JobState.READY;
  }

  private static void addPlaces(Job job, List<PoolRow> rows) {
    rows.add(PoolQueue.row(job, Order.FAIR));
    if (job.customer() != null) {
      rows.add(PoolQueue.row(job, Order.FIFO));
    }
  }

  /** Makes a pool choose as soon as the pause after its last choice allows. */
  public void choose(PoolId pool) {
    Instant now = clock.instant();
    shared
        .pools()
        .planChoice(pool, now)
        .ifPresent(at -> shared.checks().send(Check.of(at, List.of(pool)), now));
  }
}
