package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.job.Precedence;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a pool's choices.
 *
 * @param version counts the stored changes; 0 if none is stored
 * @param order the order by which the waiting jobs are stored
 * @param turns the turns of each priority
 * @param leaving the chosen jobs that may not have left the pool yet
 * @param moved how many jobs were moved into the queue since the pool was created
 * @param movedAt when jobs were last taken out for the queue, or the messages in the queue were
 *     last counted; null for never
 * @param served how many jobs of each customer were chosen recently
 * @param orderedUpTo if the waiting jobs are being stored by another order, the key of the last row
 *     that is already stored by that order; otherwise null
 */
public record PoolState(
    PoolId pool,
    long version,
    Pool.Order order,
    Map<Integer, Turns> turns,
    List<Leaving> leaving,
    long moved,
    @Nullable Instant movedAt,
    ChosenCounts served,
    @Nullable String orderedUpTo) {

  /** At most this many chosen jobs can still be in the pool. */
  public static final int MOST_LEAVING = 100;

  /**
   * The messages in the queue are counted only after no job was moved for this long, because the
   * number that SQS reports is up to a minute old.
   */
  static final Duration QUIET = Duration.ofMinutes(1);

  /**
   * A chosen job. It keeps its turn until it has left the pool.
   *
   * @param until the instant before which no other invocation acts on the job
   * @param isPulled whether a worker takes the job; if not, the queue of the pool gets it
   * @param round the round in which its customer had this turn; 0 if it is unknown. The choice is
   *     stored before the rows that show the turn. Until they are stored, other choices know the
   *     turn only from this number
   */
  public record Leaving(ReadyJob job, Instant until, boolean isPulled, long round) {

    private Leaving taken(boolean isPulling, Instant newUntil) {
      return new Leaving(job, newUntil, isPulling, round);
    }

    private Leaving inUnknownRound() {
      return new Leaving(job, until, isPulled, 0);
    }
  }

  public PoolState {
    turns = Collections.unmodifiableMap(new TreeMap<>(turns));
    leaving = List.copyOf(leaving);
  }

  /** The state before the first choice. */
  public static PoolState begin(PoolId pool) {
    return new PoolState(
        pool, 0, Pool.Order.FAIR, Map.of(), List.of(), 0, null, ChosenCounts.NONE, null);
  }

  /**
   * A stand-in for a state that cannot be read. The queue counts as full until its messages are
   * counted. The waiting jobs may be stored by either order, so they are stored again. Its rounds
   * are later than those of the lost state. Otherwise a customer whose turn is recorded for a round
   * would have no turn when the pool reaches that round again.
   */
  public static PoolState standIn(PoolActivity activity, Instant now) {
    long full = activity.claimed() + PoolReader.DEEPEST;
    return new PoolState(
        activity.pool(),
        now.toEpochMilli(),
        Pool.Order.FAIR,
        turnsFrom(now.toEpochMilli()),
        List.of(),
        full,
        null,
        ChosenCounts.NONE,
        PoolRow.READY);
  }

  private static Map<Integer, Turns> turnsFrom(long round) {
    Map<Integer, Turns> turns = new HashMap<>();
    for (int priority = 0; priority <= Precedence.LEAST_URGENT; priority++) {
      turns.put(priority, Turns.beginAt(round));
    }
    return turns;
  }

  /** The turns of a priority. */
  public Turns turns(int priority) {
    return turns.getOrDefault(priority, Turns.BEGIN);
  }

  public Set<JobId> leavingJobs() {
    return leaving.stream().map(one -> one.job().job()).collect(Collectors.toSet());
  }

  /** How many jobs are in the queue, or on their way there. */
  public long visible(PoolActivity activity) {
    long underWay = leaving.stream().filter(one -> !one.isPulled()).count();
    return Math.max(0, moved + underWay - activity.claimed());
  }

  /** The state with other leaving jobs, in the same version. */
  PoolState with(List<Leaving> newLeaving) {
    return new PoolState(
        pool, version, order, turns, newLeaving, moved, movedAt, served, orderedUpTo);
  }

  /**
   * The state after jobs were taken out for the queue. Some of these jobs can be jobs that a pull
   * had chosen but not taken out.
   */
  public PoolState movingAt(Instant now) {
    return new PoolState(pool, version, order, turns, leaving, moved, now, served, orderedUpTo);
  }

  /** The next version after the messages in the queue were counted. */
  public PoolState counted(long claimed, long messages, Instant now) {
    return new PoolState(
        pool, version + 1, order, turns, leaving, claimed + messages, now, served, orderedUpTo);
  }

  /** Whether the last move or count is so old that the messages are counted again. */
  public boolean isToBeCounted(Instant now) {
    return movedAt == null || !movedAt.plus(QUIET).isAfter(now);
  }

  /**
   * The state with jobs that were chosen before and are taken out now.
   *
   * @param isPulling whether a worker takes them
   * @param until the instant before which no other invocation acts on them
   */
  public PoolState taking(List<Leaving> again, boolean isPulling, Instant until) {
    Set<JobId> jobs = again.stream().map(one -> one.job().job()).collect(Collectors.toSet());
    List<Leaving> all = new ArrayList<>();
    again.forEach(one -> all.add(one.taken(isPulling, until)));
    leaving.stream().filter(one -> !jobs.contains(one.job().job())).forEach(all::add);
    return with(all);
  }

  /** The next version. */
  public PoolState next(Map<Integer, Turns> newTurns, List<Leaving> newLeaving, long newlyMoved) {
    return new PoolState(
        pool,
        version + 1,
        order,
        newTurns,
        newLeaving,
        moved + newlyMoved,
        movedAt,
        served,
        orderedUpTo);
  }

  /**
   * The next version after all waiting jobs were stored by an order. The turns go on if the order
   * is the same as before.
   *
   * @param again jobs that were chosen before, but that the state no longer names
   */
  public PoolState ordered(Pool.Order newOrder, List<Leaving> again) {
    List<Leaving> all = new ArrayList<>(leaving);
    all.addAll(again);
    Map<Integer, Turns> newTurns = turns;
    if (newOrder != order) {
      newTurns = Map.of();
      all.replaceAll(Leaving::inUnknownRound);
    }
    return new PoolState(pool, version + 1, newOrder, newTurns, all, moved, movedAt, served, null);
  }

  /** The next version after the rows up to a key were stored by another order. */
  public PoolState ordering(String upTo) {
    return new PoolState(pool, version + 1, order, turns, leaving, moved, movedAt, served, upTo);
  }

  /** Whether all waiting jobs are stored by an order. */
  public boolean isOrderedBy(Pool.Order wanted) {
    return order == wanted && orderedUpTo == null;
  }

  /** The state with the chosen jobs counted as served, in the same version. */
  public PoolState serving(Collection<ReadyJob> chosen, Instant now) {
    List<String> customers = chosen.stream().map(ReadyJob::customer).toList();
    return new PoolState(
        pool,
        version,
        order,
        turns,
        leaving,
        moved,
        movedAt,
        served.with(customers, now),
        orderedUpTo);
  }
}
