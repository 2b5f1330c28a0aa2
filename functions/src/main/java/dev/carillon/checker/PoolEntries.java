package dev.carillon.checker;

import dev.carillon.decision.JobDecision;
import dev.carillon.id.PoolId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Job;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolQueue;
import dev.carillon.pool.StoredPool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a pass that begin to wait in pools. Each job is stored as READY before it is added to
 * its pool. So if a crash comes between the two, the check of the READY job adds it to the pool.
 */
final class PoolEntries {

  private final CheckServices services;
  private final FollowUps followUps;
  private final IndependentSteps steps;
  private final Instant now;
  private final List<Job> jobs = new ArrayList<>();

  PoolEntries(CheckServices services, FollowUps followUps, IndependentSteps steps, Instant now) {
    this.services = services;
    this.followUps = followUps;
    this.steps = steps;
    this.now = now;
  }

  void add(Job ready) {
    jobs.add(ready);
  }

  /**
   * Stores that the jobs wait, and makes their pools choose; a pool that moves no jobs is examined
   * instead.
   */
  void store() {
    if (jobs.isEmpty()) {
      return;
    }
    Map<PoolId, List<Job>> entering = new LinkedHashMap<>();
    for (Job job : jobs) {
      entering.computeIfAbsent(PoolQueue.pool(job), any -> new ArrayList<>()).add(job);
    }
    jobs.clear();
    Set<PoolId> unreadable = new HashSet<>();
    Map<PoolId, StoredPool> pools =
        UnreadableItems.readable(entering.keySet(), unreadable, services.shared().pools()::find);
    entering.forEach(
        (id, ready) -> {
          if (unreadable.contains(id)) {
            postpone(ready);
          } else {
            steps.run(() -> store(id, pools.get(id), ready));
          }
        });
  }

  /** Plans a check of each READY job, which adds the job to its pool again. */
  private void postpone(List<Job> ready) {
    ready.forEach(job -> followUps.add(job.id(), now.plus(JobDecision.UNREADABLE_PAUSE)));
  }

  private void store(PoolId id, @Nullable StoredPool pool, List<Job> ready) {
    Order order = pool == null ? Order.FAIR : pool.pool().order();
    Set<String> weighted = pool == null ? Set.of() : pool.pool().weights().keySet();
    new PoolQueue(services.shared().pools())
        .enter(ready.stream().map(job -> PoolQueue.row(job, order)).toList(), weighted);
    if (pool == null) {
      return;
    }
    // A choice that was planned since the pass began can have run before the rows were stored.
    Instant present = services.presentFrom(now);
    try {
      if (pool.pool().moves()) {
        services.shared().pools().planChoice(id, present).ifPresent(at -> followUps.add(id, at));
      } else {
        services.shared().pools().watch(id, present);
      }
    } catch (UnreadableItems activity) {
      postpone(ready);
    }
  }
}
