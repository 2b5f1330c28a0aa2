package dev.carillon.memory;

import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The shards of items in an attention index. An item stays in its shard until it is written again,
 * even if another number of shards is configured in the meantime.
 */
final class MemoryShards {

  private final Map<Subject, Integer> shards = new HashMap<>();
  private int count;

  MemoryShards(int count) {
    this.count = count;
  }

  synchronized int count() {
    return count;
  }

  /** Configures the number of shards for items that are written from now on. */
  synchronized void configure(int shardCount) {
    count = shardCount;
  }

  synchronized void written(Subject subject) {
    shards.put(subject, Math.floorMod(subject.toString().hashCode(), count));
  }

  synchronized boolean isEmpty(int shard, Stream<Wakeup> all) {
    return all.noneMatch(wakeup -> isIn(shard, wakeup));
  }

  /**
   * A page of the wake-ups of a shard that are due at {@code until} or earlier.
   *
   * @param after the last wake-up of the previous page; null for the first page
   */
  synchronized List<Wakeup> page(
      int shard, Stream<Wakeup> all, Instant until, @Nullable Wakeup after, int limit) {
    return all.filter(wakeup -> isIn(shard, wakeup))
        .filter(wakeup -> !wakeup.at().isAfter(until))
        .filter(wakeup -> after == null || Wakeup.ORDER.compare(wakeup, after) > 0)
        .sorted(Wakeup.ORDER)
        .limit(limit)
        .toList();
  }

  private boolean isIn(int shard, Wakeup wakeup) {
    return Integer.valueOf(shard).equals(shards.get(wakeup.subject()));
  }
}
