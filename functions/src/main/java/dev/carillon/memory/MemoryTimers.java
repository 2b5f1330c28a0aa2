package dev.carillon.memory;

import dev.carillon.master.Timer;
import dev.carillon.master.Timers;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Timers in memory. */
public final class MemoryTimers implements Timers {

  private final int shards;
  private final NavigableMap<Timer, Timer> timers =
      new TreeMap<>(
          Comparator.comparing(Timer::dueAt)
              .thenComparing(Timer::id)
              .thenComparing(Timer::activation)
              .thenComparing(Timer::leaf));

  public MemoryTimers(int shards) {
    this.shards = shards;
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public synchronized List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit) {
    NavigableMap<Timer, Timer> rest = after == null ? timers : timers.tailMap(after, false);
    return rest.values().stream()
        .takeWhile(timer -> !timer.dueAt().isAfter(until))
        .filter(timer -> shardOf(timer) == shard)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<Timer> missing(List<Timer> wanted) {
    return wanted.stream().filter(timer -> !timers.containsKey(timer)).toList();
  }

  @Override
  public synchronized void put(List<Timer> added) {
    for (Timer timer : added) {
      timers.remove(timer);
      timers.put(timer, timer);
    }
  }

  @Override
  public synchronized void delete(List<Timer> gone) {
    gone.forEach(timers::remove);
  }

  /** All of them, the earliest first. */
  public synchronized List<Timer> all() {
    return List.copyOf(timers.values());
  }

  /** The one that is due first; empty if there is none. */
  public synchronized Optional<Timer> earliest() {
    return timers.isEmpty() ? Optional.empty() : Optional.of(timers.firstKey());
  }

  private int shardOf(Timer timer) {
    return Math.floorMod(timer.id().toString().hashCode(), shards);
  }
}
