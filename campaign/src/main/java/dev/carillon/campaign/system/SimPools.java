package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.Link;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.memory.MemoryPools;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Pools behind a simulated connection. The attention index of the gates shows their wake-ups. */
public final class SimPools implements Pools {

  private final MemoryPools store;
  private final SimGates gates;
  private final Link link;

  public SimPools(MemoryPools store, SimGates gates, Link link) {
    this.store = store;
    this.gates = gates;
    this.link = link;
  }

  @Override
  public Map<PoolId, StoredPool> find(Collection<PoolId> ids) {
    return link.read("pools.find", ids, () -> store.find(ids));
  }

  @Override
  public boolean save(@Nullable StoredPool before, StoredPool after) {
    Supplier<Boolean> effect = () -> link.countLostRace(store.save(before, after));
    return link.conditional(
        "pools.save",
        after,
        effect,
        () -> link.isOwn(after, store.find(List.of(after.id())).get(after.id())) || effect.get());
  }

  @Override
  public boolean delete(StoredPool pool) {
    return link.write("pools.delete", pool, () -> store.delete(pool));
  }

  @Override
  public Page<StoredPool> list(String namespace, int limit, @Nullable String next) {
    return link.read("pools.list", namespace, () -> store.list(namespace, limit, next));
  }

  @Override
  public List<StoredPool> matching(String namespace) {
    return link.read("pools.matching", namespace, () -> store.matching(namespace));
  }

  @Override
  public Optional<PoolState> state(PoolId pool) {
    return link.read("pools.state", pool, () -> store.state(pool));
  }

  @Override
  public boolean update(PoolState before, PoolState after) {
    return update("pools.update", after, () -> store.update(before, after));
  }

  @Override
  public boolean reorder(PoolState before, PoolState after, Collection<? extends PoolRow> removed) {
    return update("pools.reorder", after, () -> store.reorder(before, after, removed));
  }

  private boolean update(String name, PoolState after, Supplier<Boolean> change) {
    Supplier<Boolean> effect = () -> link.countLostRace(change.get());
    return link.conditional(
        name,
        after,
        effect,
        () -> link.isOwn(after, store.state(after.pool()).orElse(null)) || effect.get());
  }

  @Override
  public void put(Collection<? extends PoolRow> rows) {
    link.each("pools.put", List.copyOf(rows), row -> store.put(List.of(row)));
  }

  @Override
  public void remove(Collection<? extends PoolRow> rows) {
    link.each("pools.remove", List.copyOf(rows), row -> store.remove(List.of(row)));
  }

  private static Supplier<Boolean> done(Runnable effect) {
    return () -> {
      effect.run();
      return true;
    };
  }

  @Override
  public List<PoolRow> rows(PoolId pool, String after, String until, int limit) {
    return link.read("pools.rows", pool, () -> store.rows(pool, after, until, limit));
  }

  @Override
  public Optional<PoolPull> pull(PoolId pool, String requestId) {
    return link.read("pools.pull", pool, () -> store.pull(pool, requestId));
  }

  @Override
  public boolean save(PoolPull pull) {
    Supplier<Boolean> effect = () -> link.countLostRace(store.save(pull));
    return link.conditional(
        "pools.savePull",
        pull,
        effect,
        () ->
            link.isOwn(pull, store.pull(pull.pool(), pull.requestId()).orElse(null))
                || effect.get());
  }

  @Override
  public PoolActivity activity(PoolId pool) {
    return link.read("pools.activity", pool, () -> store.activity(pool));
  }

  @Override
  public PoolActivity claimed(PoolId pool, int jobs) {
    return link.write("pools.claimed", pool, () -> store.claimed(pool, jobs));
  }

  @Override
  public Optional<Instant> planChoice(PoolId pool, Instant now) {
    return link.write(
        "pools.planChoice",
        pool,
        () -> {
          Optional<Instant> planned = store.planChoice(pool, now);
          gates.show(pool, store.wakeup(pool).orElse(null));
          return planned;
        });
  }

  @Override
  public void rest(PoolActivity before) {
    link.write(
        "pools.rest",
        before,
        done(
            () -> {
              store.rest(before);
              gates.show(before.pool(), store.wakeup(before.pool()).orElse(null));
            }));
  }

  @Override
  public boolean examine(PoolActivity before, Instant now) {
    return link.write("pools.examine", before, () -> store.examine(before, now));
  }
}
