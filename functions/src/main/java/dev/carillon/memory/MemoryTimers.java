package dev.carillon.memory;

import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
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

  /** The timers with their shards; each timer is also its own key. */
  private final NavigableMap<Timer, Timer> timers;

  public MemoryTimers(int shards) {
    this(
        shards,
        new TreeMap<>(
            Comparator.comparing(Timer::dueAt)
                .thenComparing(Timer::id)
                .thenComparing(Timer::activation)
                .thenComparing(Timer::leaf)
                .thenComparing(Timer::shard, nullsFirst(naturalOrder()))));
  }

  private MemoryTimers(int shards, NavigableMap<Timer, Timer> timers) {
    this.shards = shards;
    this.timers = timers;
  }

  /** The same timers, for a function that is configured with another number of shards. */
  public MemoryTimers withShards(int others) {
    return new MemoryTimers(others, timers);
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit) {
    synchronized (timers) {
      NavigableMap<Timer, Timer> rest =
          after == null ? timers : timers.tailMap(after.in(shard), false);
      return rest.values().stream()
          .takeWhile(timer -> !timer.dueAt().isAfter(until))
          .filter(timer -> Integer.valueOf(shard).equals(timer.shard()))
          .limit(limit)
          .toList();
    }
  }

  @Override
  public boolean isEmpty(int shard) {
    synchronized (timers) {
      return timers.values().stream()
          .noneMatch(timer -> Integer.valueOf(shard).equals(timer.shard()));
    }
  }

  @Override
  public List<Timer> missing(List<Timer> wanted) {
    synchronized (timers) {
      return wanted.stream().filter(timer -> !timers.containsKey(placed(timer))).toList();
    }
  }

  @Override
  public void put(List<Timer> added) {
    synchronized (timers) {
      for (Timer timer : added) {
        Timer placed = placed(timer);
        timers.remove(placed);
        timers.put(placed, placed);
      }
    }
  }

  @Override
  public void delete(List<Timer> deleted) {
    synchronized (timers) {
      deleted.forEach(timer -> timers.remove(timer.shard() == null ? placed(timer) : timer));
    }
  }

  /** The timer with the shard in which a put stores it. */
  private Timer placed(Timer timer) {
    return timer.in(Math.floorMod(timer.id().toString().hashCode(), shards));
  }

  /** All timers, the earliest first. */
  public List<Timer> all() {
    synchronized (timers) {
      return List.copyOf(timers.values());
    }
  }

  /** The timer that is due first; empty if there is none. */
  public Optional<Timer> earliest() {
    synchronized (timers) {
      return timers.isEmpty() ? Optional.empty() : Optional.of(timers.firstKey());
    }
  }
}
