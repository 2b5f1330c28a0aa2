package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.Link;
import dev.carillon.memory.MemoryTimers;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Timers behind a simulated connection; a batch may be stored in part. */
public final class SimTimers implements Timers {

  private final MemoryTimers store;
  private final Link link;

  public SimTimers(MemoryTimers store, Link link) {
    this.store = store;
    this.link = link;
  }

  @Override
  public int shards() {
    return store.shards();
  }

  @Override
  public boolean isEmpty(int shard) {
    return link.read("timers.isEmpty", shard, () -> store.isEmpty(shard));
  }

  @Override
  public List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit) {
    return link.read("timers.due", shard, () -> store.due(shard, until, after, limit));
  }

  @Override
  public void put(List<Timer> timers) {
    link.each("timers.put", timers, timer -> store.put(List.of(timer)));
  }

  @Override
  public void delete(List<Timer> timers) {
    link.each("timers.delete", timers, timer -> store.delete(List.of(timer)));
  }
}
