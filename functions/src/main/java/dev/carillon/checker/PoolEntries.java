package dev.carillon.checker;

import dev.carillon.check.Shared;
import dev.carillon.id.PoolId;
import dev.carillon.job.Job;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs of a pass that begin to wait in pools. Each is stored as READY before its pool knows it,
 * so a check of a READY job adds it once more.
 */
final class PoolEntries {

  private final Shared shared;
  private final FollowUps followUps;
  private final Instant now;
  private final List<Job> jobs = new ArrayList<>();

  PoolEntries(Shared shared, FollowUps followUps, Instant now) {
    this.shared = shared;
    this.followUps = followUps;
    this.now = now;
  }

  void add(Job ready) {
    jobs.add(ready);
  }

  /** Stores that the jobs wait, and has their pools choose, or examined if they move nothing. */
  void store() {
    if (jobs.isEmpty()) {
      return;
    }
    Set<PoolId> ids = new LinkedHashSet<>();
    jobs.forEach(job -> ids.add(PoolQueue.pool(job)));
    Map<PoolId, StoredPool> pools = shared.pools().find(ids);
    List<ReadyJob> rows = new ArrayList<>();
    for (Job job : jobs) {
      StoredPool pool = pools.get(PoolQueue.pool(job));
      rows.add(PoolQueue.row(job, pool == null ? Order.FAIR : pool.pool().order()));
    }
    new PoolQueue(shared.pools()).enter(rows);
    jobs.clear();
    for (StoredPool pool : pools.values()) {
      if (pool.pool().moves()) {
        shared.pools().planChoice(pool.id(), now).ifPresent(at -> followUps.add(pool.id(), at));
      } else {
        shared.pools().watch(pool.id(), now);
      }
    }
  }
}
