package dev.carillon.memory;

import dev.carillon.document.TextForm;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pools in memory; the {@link MemoryGates} that made them also shows the wake-ups of the pools. */
public final class MemoryPools implements Pools {

  private final Map<PoolId, StoredPool> pools = new HashMap<>();
  private final Map<PoolId, PoolState> states = new HashMap<>();
  private final Map<PoolId, NavigableMap<String, PoolRow>> rows = new HashMap<>();
  private final Map<PoolId, PoolActivity> activities = new HashMap<>();
  private final Map<String, PoolPull> pulls = new HashMap<>();
  private final Map<PoolId, Wakeup> wakeups = new HashMap<>();
  private final MemoryShards shards;

  MemoryPools(MemoryShards shards) {
    this.shards = shards;
  }

  @Override
  public synchronized Map<PoolId, StoredPool> find(Collection<PoolId> ids) {
    return ids.stream()
        .distinct()
        .filter(pools::containsKey)
        .collect(Collectors.toMap(id -> id, pools::get));
  }

  @Override
  public synchronized boolean save(@Nullable StoredPool before, StoredPool after) {
    if (!isStored(after.id(), before == null ? 0 : before.version())) {
      return false;
    }
    pools.put(after.id(), after);
    return true;
  }

  @Override
  public synchronized boolean delete(StoredPool pool) {
    return isStored(pool.id(), pool.version()) && pools.remove(pool.id()) != null;
  }

  private boolean isStored(PoolId id, long version) {
    StoredPool stored = pools.get(id);
    return version == (stored == null ? 0 : stored.version());
  }

  @Override
  public synchronized Page<StoredPool> list(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    List<StoredPool> found =
        pools.values().stream()
            .filter(pool -> pool.id().namespace().equals(namespace))
            .filter(pool -> next == null || pool.id().name().compareTo(next) > 0)
            .sorted(Comparator.comparing(pool -> pool.id().name()))
            .limit(limit + 1L)
            .toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<StoredPool> items = List.copyOf(found.subList(0, limit));
    return new Page<>(items, items.get(limit - 1).id().name());
  }

  @Override
  public synchronized List<StoredPool> matching(String namespace) {
    return pools.values().stream()
        .filter(stored -> stored.id().namespace().equals(namespace))
        .filter(stored -> stored.pool().match() != null)
        .sorted(Comparator.comparing(stored -> stored.id().name()))
        .toList();
  }

  @Override
  public synchronized Optional<PoolState> state(PoolId pool) {
    return Optional.ofNullable(states.get(pool));
  }

  @Override
  public synchronized boolean update(PoolState before, PoolState after) {
    PoolState stored = states.get(after.pool());
    if (before.version() != (stored == null ? 0 : stored.version())) {
      return false;
    }
    states.put(after.pool(), after);
    return true;
  }

  @Override
  public synchronized boolean reorder(
      PoolState before, PoolState after, Collection<? extends PoolRow> removed) {
    boolean isStored = update(before, after);
    if (isStored) {
      remove(removed);
    }
    return isStored;
  }

  @Override
  public synchronized void put(Collection<? extends PoolRow> added) {
    added.forEach(row -> ofPool(row.pool()).put(row.key(), row));
  }

  @Override
  public synchronized void remove(Collection<? extends PoolRow> removed) {
    removed.forEach(row -> ofPool(row.pool()).remove(row.key()));
  }

  private NavigableMap<String, PoolRow> ofPool(PoolId pool) {
    return rows.computeIfAbsent(pool, any -> new TreeMap<>());
  }

  @Override
  public synchronized List<PoolRow> rows(PoolId pool, String after, String until, int limit) {
    return ofPool(pool).tailMap(after, false).entrySet().stream()
        .takeWhile(row -> row.getKey().compareTo(until) < 0)
        .limit(limit)
        .map(Map.Entry::getValue)
        .toList();
  }

  @Override
  public synchronized Optional<PoolPull> pull(PoolId pool, String requestId) {
    return Optional.ofNullable(pulls.get(pool + " " + requestId));
  }

  @Override
  public synchronized boolean save(PoolPull pull) {
    return pulls.putIfAbsent(pull.pool() + " " + pull.requestId(), pull) == null;
  }

  @Override
  public synchronized PoolActivity activity(PoolId pool) {
    return activities.getOrDefault(pool, PoolActivity.none(pool));
  }

  @Override
  public synchronized PoolActivity claimed(PoolId pool, int jobs) {
    PoolActivity before = activity(pool);
    PoolActivity after =
        new PoolActivity(
            pool,
            before.claimed() + jobs,
            before.nextChoice(),
            before.isAwake(),
            before.examinedAt());
    activities.put(pool, after);
    return after;
  }

  @Override
  public synchronized Optional<Instant> planChoice(PoolId pool, Instant now) {
    PoolActivity before = activity(pool);
    Optional<Instant> planned = before.next(now);
    planned.ifPresent(at -> plan(before, at, now));
    return planned;
  }

  private void plan(PoolActivity before, Instant at, Instant now) {
    PoolId pool = before.pool();
    activities.put(pool, new PoolActivity(pool, before.claimed(), at, true, before.examinedAt()));
    if (!before.isAwake()) {
      wakeups.put(pool, new Wakeup(pool, Wakeup.plan(at, now).attentionAt()));
      shards.written(pool);
    }
  }

  @Override
  public synchronized void rest(PoolActivity before) {
    PoolId pool = before.pool();
    PoolActivity present = activity(pool);
    if (Objects.equals(present.nextChoice(), before.nextChoice())) {
      activities.put(
          pool,
          new PoolActivity(
              pool, present.claimed(), present.nextChoice(), false, present.examinedAt()));
      wakeups.remove(pool);
    }
  }

  @Override
  public synchronized boolean examine(PoolActivity before, Instant now) {
    PoolActivity present = activity(before.pool());
    if (!Objects.equals(present.examinedAt(), before.examinedAt())) {
      return false;
    }
    activities.put(before.pool(), present.examined(now));
    return true;
  }

  /** The entry of a pool in the attention index; empty if it has none. */
  public synchronized Optional<Wakeup> wakeup(PoolId pool) {
    return Optional.ofNullable(wakeups.get(pool));
  }

  /** The entries of the attention index. */
  synchronized List<Wakeup> wakeups() {
    return List.copyOf(wakeups.values());
  }
}
