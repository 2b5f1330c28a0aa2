package dev.carillon.metrics;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.pool.Pool;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.PoolState.Leaving;
import dev.carillon.pool.Pools;
import dev.carillon.pool.ReadyCount;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * When a choice of a pool is stored, this class measures the chosen jobs. When a function counts
 * the waiting jobs of a pool, this class measures the count. This needs no additional read. A
 * function that chooses or counts has just read the definition and, if the pool has a queue, the
 * activity. This class keeps the last definition and the last activity of each pool.
 */
public final class MeteredPools implements Pools {

  private final Pools pools;
  private final Metrics metrics;
  private final InstantSource clock;
  private final Map<PoolId, Pool> definitions = new ConcurrentHashMap<>();
  private final Map<PoolId, PoolActivity> activities = new ConcurrentHashMap<>();

  public MeteredPools(Pools pools, Metrics metrics, InstantSource clock) {
    this.pools = pools;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public boolean update(PoolState before, PoolState after) {
    if (!pools.update(before, after)) {
      return false;
    }
    Pool pool = definitions.get(after.pool());
    if (pool != null) {
      measureQueue(pool, after);
      measureChoice(pool, before, after);
    }
    return true;
  }

  private void measureQueue(Pool pool, PoolState after) {
    PoolActivity activity = activities.get(after.pool());
    if (pool.queue() != null && activity != null) {
      Scope scope = Scope.of(after.pool());
      metrics.add(Metric.POOL_DEPTH, scope, pool.depth());
      metrics.add(Metric.POOL_VISIBLE, scope, after.visible(activity));
    }
  }

  /** A job that is moved once more, because its first move failed, is not counted again. */
  private void measureChoice(Pool pool, PoolState before, PoolState after) {
    Set<JobId> known = before.leavingJobs();
    List<Leaving> chosen =
        after.leaving().stream().filter(one -> !known.contains(one.job().job())).toList();
    for (Leaving one : chosen) {
      Metric metric = one.isPulled() ? Metric.POOL_PULLED : Metric.POOL_MOVED;
      metrics.add(metric, Scope.of(after.pool()), 1);
      String customer = one.job().customer();
      if (isNamed(pool, customer)) {
        metrics.add(metric, Scope.of(after.pool(), customer), 1);
      }
    }
    Instant now = clock.instant();
    chosen.stream()
        .map(Leaving::job)
        .map(ReadyJob::since)
        .min(Comparator.naturalOrder())
        .ifPresent(
            since -> metrics.addAge(Metric.POOL_OLDEST_AGE, Scope.of(after.pool()), since, now));
  }

  @Override
  public ReadyCount count(PoolId id, Set<JobId> chosen) {
    ReadyCount count = pools.count(id, chosen);
    Pool pool = definitions.get(id);
    if (pool != null) {
      measureWaiting(id, pool, count);
    }
    return count;
  }

  /** A named customer gets no value if none of its jobs was counted and rows may be left unread. */
  private void measureWaiting(PoolId id, Pool pool, ReadyCount count) {
    metrics.add(Metric.POOL_WAITING, Scope.of(id), count.jobs());
    if (count.oldest() != null) {
      metrics.addAge(Metric.POOL_OLDEST_AGE, Scope.of(id), count.oldest(), clock.instant());
    }
    Set<String> named = new HashSet<>(pool.limits().keySet());
    named.remove(Pool.OTHERS);
    named.addAll(pool.weights().keySet());
    for (String customer : named) {
      Long jobs = count.byCustomer().get(customer);
      if (isNamed(pool, customer) && (jobs != null || !count.isAtLeast())) {
        Scope scope = Scope.of(id, customer);
        metrics.add(Metric.POOL_WAITING, scope, jobs == null ? 0 : jobs);
      }
    }
  }

  /** Whether the pool names the customer, and CloudWatch takes its name. */
  private static boolean isNamed(Pool pool, String customer) {
    boolean isListed = pool.weights().containsKey(customer) || pool.limits().containsKey(customer);
    return isListed
        && !customer.startsWith(":")
        && customer.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  @Override
  public Map<PoolId, StoredPool> find(Collection<PoolId> ids) {
    Map<PoolId, StoredPool> found = pools.find(ids);
    ids.forEach(definitions::remove);
    found.forEach((id, stored) -> definitions.put(id, stored.pool()));
    return found;
  }

  @Override
  public PoolActivity activity(PoolId pool) {
    PoolActivity activity = pools.activity(pool);
    activities.put(pool, activity);
    return activity;
  }

  @Override
  public boolean save(@Nullable StoredPool before, StoredPool after) {
    return pools.save(before, after);
  }

  @Override
  public boolean overwrite(StoredPool after) {
    return pools.overwrite(after);
  }

  @Override
  public boolean delete(StoredPool pool) {
    return pools.delete(pool);
  }

  @Override
  public Page<StoredPool> list(String namespace, int limit, @Nullable String next) {
    return pools.list(namespace, limit, next);
  }

  @Override
  public List<StoredPool> matching(String namespace) {
    return pools.matching(namespace);
  }

  @Override
  public boolean repair(PoolId pool, Instant now) {
    return pools.repair(pool, now);
  }

  @Override
  public Optional<PoolState> state(PoolId pool) {
    return pools.state(pool);
  }

  @Override
  public boolean reorder(PoolState before, PoolState after, Collection<? extends PoolRow> removed) {
    return pools.reorder(before, after, removed);
  }

  @Override
  public void put(Collection<? extends PoolRow> rows) {
    pools.put(rows);
  }

  @Override
  public void remove(Collection<? extends PoolRow> rows) {
    pools.remove(rows);
  }

  @Override
  public List<PoolRow> rows(PoolId pool, String after, String until, int limit) {
    return pools.rows(pool, after, until, limit);
  }

  @Override
  public Optional<PoolPull> pull(PoolId pool, String requestId) {
    return pools.pull(pool, requestId);
  }

  @Override
  public boolean save(PoolPull pull) {
    return pools.save(pull);
  }

  @Override
  public PoolActivity claimed(PoolId pool, int jobs) {
    return pools.claimed(pool, jobs);
  }

  @Override
  public Optional<Instant> planChoice(PoolId pool, Instant now) {
    return pools.planChoice(pool, now);
  }

  @Override
  public void rest(PoolActivity before) {
    pools.rest(before);
  }

  @Override
  public boolean examine(PoolActivity before, Instant now) {
    return pools.examine(before, now);
  }
}
