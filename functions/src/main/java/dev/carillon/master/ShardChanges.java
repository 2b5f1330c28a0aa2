package dev.carillon.master;

import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Gates;
import dev.carillon.job.Jobs;
import dev.carillon.master.ShardPlan.Shards;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows changes of the number of shards. Functions use the configured shards at once when they
 * write, so the master also reads the shards of earlier configurations until these are empty.
 */
final class ShardChanges {

  private static final Logger LOG = LoggerFactory.getLogger(ShardChanges.class);

  private final StatusStore status;
  private final Timers timers;
  private final Jobs jobs;
  private final Gates gates;

  ShardChanges(StatusStore status, Timers timers, Jobs jobs, Gates gates) {
    this.status = status;
    this.timers = timers;
    this.jobs = jobs;
    this.gates = gates;
  }

  /** The plan of this tick. If the plan cannot be stored, the next tick stores it. */
  ShardPlan plan(Instant now) {
    Shards configured = new Shards(timers.shards(), jobs.attentionShards());
    ShardPlan stored;
    try {
      stored = status.shards().orElse(null);
    } catch (UnreadableItems damaged) {
      LOG.warn(
          "the stored plan cannot be read; all shards are read until they are found empty",
          damaged);
      ShardPlan all = ShardPlan.unknown(configured, now);
      store(null, all);
      return all;
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not read which shards are in use; this tick reads the configured ones",
          unavailable);
      return ShardPlan.first(configured);
    }
    ShardPlan wanted =
        stored == null ? ShardPlan.first(configured) : stored.configuredAs(configured, now);
    if (!wanted.equals(stored)) {
      store(stored, wanted);
    }
    return wanted;
  }

  private void store(@Nullable ShardPlan stored, ShardPlan wanted) {
    try {
      status.saveShards(stored, wanted);
    } catch (RuntimeException unavailable) {
      LOG.warn("could not store which shards are in use; the next tick stores it", unavailable);
    }
  }

  /** Stops reading the highest shards if they are empty and no function writes to them. */
  void shrink(ShardPlan plan, Instant now) {
    if (plan.canShrink(now)) {
      Shards configured = plan.configured();
      save(
          plan,
          new Shards(
              used(configured.timers(), plan.read().timers(), this::hasTimers),
              used(configured.attention(), plan.read().attention(), this::hasAttention)));
    }
  }

  /**
   * In the days after a change, searches for items in the shards that are not read. Such a shard
   * has items if a function still used the higher number of shards when the master stopped reading
   * the shard, for example in a very long deployment. The master then reads these shards again.
   */
  void findStrays(Instant now) {
    ShardPlan plan = status.shards().orElse(null);
    if (plan != null && plan.mayHaveStrays(now)) {
      save(
          plan,
          new Shards(
              used(plan.read().timers(), Shards.MOST, this::hasTimers),
              used(plan.read().attention(), Shards.MOST, this::hasAttention)));
    }
  }

  private void save(ShardPlan plan, Shards needed) {
    ShardPlan changed = plan.reading(needed);
    if (!changed.equals(plan) && status.saveShards(plan, changed)) {
      LOG.info("the master reads the shards {} instead of {}", changed.read(), plan.read());
    }
  }

  /** The number of shards, counted up to the highest shard that has an item. */
  private static int used(int least, int most, IntPredicate hasItems) {
    int used = most;
    while (used > least && !hasItems.test(used - 1)) {
      used--;
    }
    return used;
  }

  private boolean hasTimers(int shard) {
    return !timers.isEmpty(shard);
  }

  private boolean hasAttention(int shard) {
    return !jobs.isAttentionEmpty(shard) || !gates.isAttentionEmpty(shard);
  }
}
