package dev.carillon.timer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where timers are kept, in shards by schedule. What was put when there was another number of them
 * stays where it is until it is moved.
 */
public interface Timers {

  /** How many there are for what is put from now on. */
  int shards();

  /**
   * The earliest timers of a shard that are due at or before {@code until}, in order, which know
   * that they lie there. Consistent.
   *
   * @param after continues behind this one of the shard; null begins with the earliest
   */
  List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit);

  /** Those that are not stored where they would be put, or were not a moment ago. */
  default List<Timer> missing(List<Timer> timers) {
    return timers;
  }

  /** Stores all of them, unconditionally: throws unless every one was accepted. */
  void put(List<Timer> timers);

  /** Deletes all of them, each where it was read; those that are gone already are no fault. */
  void delete(List<Timer> timers);
}
