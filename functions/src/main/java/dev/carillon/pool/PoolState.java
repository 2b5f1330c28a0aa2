package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How far the choice of a pool has got.
 *
 * @param version counts the stored changes; 0 if none is stored
 * @param order the order by which the waiting jobs are stored
 * @param turns by priority
 * @param moving the chosen jobs that may not have left the pool yet
 * @param moved how many jobs were moved into the queue since the pool exists
 * @param served how many jobs of each customer were chosen lately
 */
public record PoolState(
    PoolId pool,
    long version,
    Pool.Order order,
    Map<Integer, Turns> turns,
    List<Moving> moving,
    long moved,
    ServedJobs served) {

  /** The most jobs that are chosen and have not left the pool. */
  public static final int MOST_MOVING = 100;

  /**
   * A chosen job. It keeps its turn until it has left the pool.
   *
   * @param until no other function acts on the job before
   */
  public record Moving(ReadyJob job, Instant until) {}

  public PoolState {
    turns = Map.copyOf(turns);
    moving = List.copyOf(moving);
  }

  /** Before the first choice. */
  public static PoolState begin(PoolId pool, Pool.Order order) {
    return new PoolState(pool, 0, order, Map.of(), List.of(), 0, ServedJobs.NONE);
  }

  /** The turns of a priority. */
  public Turns turns(int priority) {
    return turns.getOrDefault(priority, Turns.BEGIN);
  }

  public Set<JobId> movingJobs() {
    return moving.stream().map(one -> one.job().job()).collect(Collectors.toSet());
  }

  /** The next version. */
  public PoolState next(Map<Integer, Turns> newTurns, List<Moving> newMoving, long newlyMoved) {
    return new PoolState(pool, version + 1, order, newTurns, newMoving, moved + newlyMoved, served);
  }

  /** After the waiting jobs were stored by another order. */
  public PoolState ordered(Pool.Order newOrder) {
    return new PoolState(pool, version + 1, newOrder, Map.of(), moving, moved, served);
  }

  /** With the chosen jobs counted, in the same version. */
  public PoolState serving(Collection<ReadyJob> chosen, Instant now) {
    List<String> customers = chosen.stream().map(ReadyJob::customer).toList();
    return new PoolState(pool, version, order, turns, moving, moved, served.with(customers, now));
  }
}
