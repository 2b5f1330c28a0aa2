package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far the choice of a pool has got.
 *
 * @param version counts the stored changes; 0 if none is stored
 * @param order the order by which the waiting jobs are stored
 * @param turns by priority
 * @param moving the chosen jobs that may not have left the pool yet
 * @param moved how many jobs were moved into the queue since the pool was created
 * @param movedAt when jobs were last taken out for the queue, or its messages counted; null for
 *     never
 * @param served how many jobs of each customer were chosen lately
 * @param orderedUpTo while the waiting jobs are stored by another order: the key of the last row
 *     that has its place in it; null if all have
 */
public record PoolState(
    PoolId pool,
    long version,
    Pool.Order order,
    Map<Integer, Turns> turns,
    List<Moving> moving,
    long moved,
    @Nullable Instant movedAt,
    ServedJobs served,
    @Nullable String orderedUpTo) {

  /** The most jobs that are chosen and have not left the pool. */
  public static final int MOST_MOVING = 100;

  /**
   * How long nothing was moved before the messages in the queue are counted: SQS says their number
   * up to a minute late.
   */
  static final Duration QUIET = Duration.ofMinutes(1);

  /**
   * A chosen job. It keeps its turn until it has left the pool.
   *
   * @param until no other function acts on the job before
   * @param isPulled whether a worker takes it rather than the queue of the pool
   */
  public record Moving(ReadyJob job, Instant until, boolean isPulled) {}

  public PoolState {
    turns = Collections.unmodifiableMap(new TreeMap<>(turns));
    moving = List.copyOf(moving);
  }

  /** Before the first choice. */
  public static PoolState begin(PoolId pool) {
    return new PoolState(
        pool, 0, Pool.Order.FAIR, Map.of(), List.of(), 0, null, ServedJobs.NONE, null);
  }

  /** The turns of a priority. */
  public Turns turns(int priority) {
    return turns.getOrDefault(priority, Turns.BEGIN);
  }

  public Set<JobId> movingJobs() {
    return moving.stream().map(one -> one.job().job()).collect(Collectors.toSet());
  }

  /** How many jobs are in the queue, or on their way there. */
  public long visible(PoolActivity activity) {
    long underWay = moving.stream().filter(one -> !one.isPulled()).count();
    return Math.max(0, moved + underWay - activity.claimed());
  }

  /** The same version with other moving jobs. */
  PoolState with(List<Moving> newMoving) {
    return new PoolState(
        pool, version, order, turns, newMoving, moved, movedAt, served, orderedUpTo);
  }

  /** After jobs were taken out for the queue, also such as a pull had chosen and not taken out. */
  public PoolState movingAt(Instant now) {
    return new PoolState(pool, version, order, turns, moving, moved, now, served, orderedUpTo);
  }

  /** The next version after the messages in the queue were counted. */
  public PoolState counted(long claimed, long messages, Instant now) {
    return new PoolState(
        pool, version + 1, order, turns, moving, claimed + messages, now, served, orderedUpTo);
  }

  /** Whether the last move or count is so old that the messages are counted once more. */
  public boolean isToBeCounted(Instant now) {
    return movedAt == null || !movedAt.plus(QUIET).isAfter(now);
  }

  /**
   * With jobs that were chosen before and leave now.
   *
   * @param isPulling whether a worker takes them
   * @param until no other function acts on them before
   */
  public PoolState taking(List<Moving> again, boolean isPulling, Instant until) {
    Set<JobId> jobs = again.stream().map(one -> one.job().job()).collect(Collectors.toSet());
    List<Moving> all = new ArrayList<>();
    again.forEach(one -> all.add(new Moving(one.job(), until, isPulling)));
    moving.stream().filter(one -> !jobs.contains(one.job().job())).forEach(all::add);
    return with(all);
  }

  /** The next version. */
  public PoolState next(Map<Integer, Turns> newTurns, List<Moving> newMoving, long newlyMoved) {
    return new PoolState(
        pool,
        version + 1,
        order,
        newTurns,
        newMoving,
        moved + newlyMoved,
        movedAt,
        served,
        orderedUpTo);
  }

  /** After the waiting jobs were stored by another order. */
  public PoolState ordered(Pool.Order newOrder) {
    return new PoolState(
        pool, version + 1, newOrder, Map.of(), moving, moved, movedAt, served, null);
  }

  /** The next version after the rows up to a key were stored by another order. */
  public PoolState ordering(String upTo) {
    return new PoolState(pool, version + 1, order, turns, moving, moved, movedAt, served, upTo);
  }

  /** Whether all waiting jobs are stored by an order. */
  public boolean isOrderedBy(Pool.Order wanted) {
    return order == wanted && orderedUpTo == null;
  }

  /** With the chosen jobs counted, in the same version. */
  public PoolState serving(Collection<ReadyJob> chosen, Instant now) {
    List<String> customers = chosen.stream().map(ReadyJob::customer).toList();
    return new PoolState(
        pool,
        version,
        order,
        turns,
        moving,
        moved,
        movedAt,
        served.with(customers, now),
        orderedUpTo);
  }
}
