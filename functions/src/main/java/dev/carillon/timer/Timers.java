package dev.carillon.timer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores timers, in shards by schedule. If the number of shards changes, a stored timer stays in
 * its shard until it is moved.
 */
public interface Timers {

  /** The configured number of shards, which applies to timers that are put from now on. */
  int shards();

  /**
   * The earliest timers of a shard that are due at or before {@code until}, in order, each with its
   * shard. The read is strongly consistent.
   *
   * @param after the page starts after this timer of the shard; null for the first page
   */
  List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit);

  /**
   * Whether a shard has no timer at all: due or not, readable or not. The read is strongly
   * consistent.
   */
  boolean isEmpty(int shard);

  /**
   * The timers that are not stored in their configured shard now. The answer can be a moment old.
   */
  default List<Timer> missing(List<Timer> timers) {
    return timers;
  }

  /** Stores all timers unconditionally. It throws unless the store accepted all of them. */
  void put(List<Timer> timers);

  /**
   * Deletes all timers, each from the shard from which it was read. If a timer is absent, this is
   * no error.
   */
  void delete(List<Timer> timers);
}
