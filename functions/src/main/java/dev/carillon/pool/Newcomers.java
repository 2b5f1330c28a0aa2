package dev.carillon.pool;

import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.Newcomer;
import dev.carillon.pool.PoolRow.ReadyJob;
import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The customers that had no waiting job before, by priority. */
final class Newcomers {

  private static final int MOST = 25;

  /**
   * How many newcomers are counted if the pool has weights. They must be counted, because the
   * shares then depend on their number.
   */
  private static final int MOST_COUNTED = 1_000;

  private final Pools pools;
  private final PoolId id;
  private final int most;

  /** The customers with a job that is reserved for an invocation. */
  private final Map<Integer, Set<String>> reserved;

  private final Map<Integer, Set<String>> stored = new HashMap<>();

  Newcomers(Pools pools, Pool pool, PoolState state, Instant now) {
    this.pools = pools;
    this.id = state.pool();
    this.most = pool.weights().isEmpty() ? MOST : MOST_COUNTED;
    this.reserved =
        state.leaving().stream()
            .filter(one -> one.until().isAfter(now))
            .map(Leaving::job)
            .collect(
                Collectors.groupingBy(
                    ReadyJob::priority,
                    Collectors.mapping(ReadyJob::customer, Collectors.toSet())));
  }

  /** The customers whose rows make them newcomers, by name. */
  Set<String> stored(int priority) {
    return stored.computeIfAbsent(priority, this::read);
  }

  private Set<String> read(int priority) {
    String prefix = PoolRow.newcomers(priority);
    Set<String> names = new LinkedHashSet<>();
    for (PoolRow row : pools.rows(id, prefix, PoolRow.after(prefix), most)) {
      names.add(((Newcomer) row).customer());
    }
    return names;
  }

  /**
   * The newcomers that have had no turn yet, by name. A choice is stored before its rows are
   * removed. So if a job of a customer is reserved, the invocation that chose the job may be about
   * to remove the customer's row. Such a customer has had its turn.
   */
  Set<String> waiting(int priority) {
    Set<String> names = new LinkedHashSet<>(stored(priority));
    names.removeAll(reserved.getOrDefault(priority, Set.of()));
    return names;
  }

  /** Whether a customer is a newcomer that has had no turn yet. */
  boolean isWaiting(int priority, String name) {
    return stored(priority).contains(name)
        && !reserved.getOrDefault(priority, Set.of()).contains(name);
  }

  /** Returns false if the customer has no row that makes it a newcomer. */
  boolean remove(int priority, String name) {
    return stored(priority).remove(name);
  }
}
