package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.id.UnreadableItems;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stores pools and what waits in them. Every read is strongly consistent. */
public interface Pools {

  /** The shortest time between two choices of a pool, however many jobs end. */
  Duration PAUSE = Duration.ofSeconds(1);

  /** A transaction of DynamoDB makes up to 100 writes. One of them stores the state. */
  int MOST_REMOVED = 99;

  /**
   * Returns the pools that exist.
   *
   * @throws UnreadableItems if some of them cannot be read
   */
  Map<PoolId, StoredPool> find(Collection<PoolId> ids);

  /**
   * Stores a pool if the stored pool has the version of {@code before}, or if {@code before} is
   * null and none is stored.
   *
   * @return false if another version is stored; then nothing was stored
   */
  boolean save(@Nullable StoredPool before, StoredPool after);

  /**
   * Stores a pool in the place of one that cannot be read.
   *
   * @return false if the stored pool can be read; then nothing was stored. A store whose items
   *     cannot be damaged always returns false
   */
  default boolean overwrite(StoredPool after) {
    return false;
  }

  /**
   * Deletes a pool if the stored pool has the same version. The rows of the pool stay.
   *
   * @return false if another version is stored; then nothing was deleted
   */
  boolean delete(StoredPool pool);

  /** One page of the pools of a namespace, by name, without those that cannot be read. */
  Page<StoredPool> list(String namespace, int limit, @Nullable String next);

  /**
   * The pools of a namespace that have a pattern, by name.
   *
   * @throws UnreadableItems if a pool of the namespace cannot be read: it may have a pattern
   */
  List<StoredPool> matching(String namespace);

  /** The state of a pool; empty before the first choice. */
  Optional<PoolState> state(PoolId pool);

  /**
   * If the state or the activity of a pool cannot be read, this stores a stand-in in its place.
   *
   * @return whether both can be read now; true in a store whose items cannot be damaged
   */
  default boolean repair(PoolId pool, Instant now) {
    return true;
  }

  /**
   * Stores a state if the stored state has the version of {@code before}.
   *
   * @return false if another version is stored; then nothing was stored
   */
  boolean update(PoolState before, PoolState after);

  /**
   * Stores a state if the stored state has the version of {@code before}, and removes rows with it.
   * If a row does not exist, this is no error.
   *
   * @param removed up to {@link #MOST_REMOVED} rows
   * @return false if another version is stored; then no state was stored, and no row was removed
   */
  boolean reorder(PoolState before, PoolState after, Collection<? extends PoolRow> removed);

  void put(Collection<? extends PoolRow> rows);

  /** Removes rows. If a row does not exist, this is no error. */
  void remove(Collection<? extends PoolRow> rows);

  /**
   * The first rows of a pool in the order of their keys, without those that cannot be read.
   *
   * @param after the smallest key, exclusive
   * @param until the largest key, exclusive
   */
  List<PoolRow> rows(PoolId pool, String after, String until, int limit);

  /** The record of a pull; empty if there is none. */
  Optional<PoolPull> pull(PoolId pool, String requestId);

  /**
   * Stores the record of a pull, unless a record of the same request is stored already.
   *
   * @return false if a record of the request is stored already; then nothing was stored
   */
  boolean save(PoolPull pull);

  PoolActivity activity(PoolId pool);

  /**
   * Adds to the number of jobs that have left the queue, and returns the new activity. The call
   * makes one write.
   */
  PoolActivity claimed(PoolId pool, int jobs);

  /**
   * Plans the next choice for now, or for {@link #PAUSE} after the previous choice if that is
   * later. From then on, the attention index has an entry for the pool.
   *
   * @param now the present instant, read after what the choice is to find was stored
   * @return the instant of the choice, for which the caller must send a check; empty if a choice is
   *     planned already
   */
  Optional<Instant> planChoice(PoolId pool, Instant now);

  /**
   * Removes the pool from the attention index, unless a choice was planned since {@code before} was
   * read.
   */
  void rest(PoolActivity before);

  /**
   * Adds the pool to the attention index, so that the next tick sends its check. This call itself
   * sends no check. If the index has an entry already, the call costs only one read.
   */
  default void watch(PoolId pool, Instant now) {
    if (!activity(pool).isAwake()) {
      planChoice(pool, now);
    }
  }

  /**
   * Stores {@code now} as the instant at which the waiting jobs were last counted. Other
   * invocations then do not count them in the same minute.
   *
   * @return false if another invocation has stored this since {@code before} was read
   */
  boolean examine(PoolActivity before, Instant now);

  /**
   * Counts the jobs that wait READY, up to a bound.
   *
   * @param chosen jobs that no longer wait, although they have rows
   */
  default ReadyCount count(PoolId pool, Set<JobId> chosen) {
    return ReadyCount.read(this, pool, chosen);
  }
}
