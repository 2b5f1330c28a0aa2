package dev.carillon.pool;

import dev.carillon.id.JobId;
import dev.carillon.pool.Pool.Order;
import dev.carillon.pool.PoolRow.ReadyJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The turn that a waiting job would have if its pool chose up to {@link #MOST_TURNS} jobs now,
 * while no other job enters or ends.
 *
 * @param number the number of the turn; 1 for the job that is chosen next
 * @param isAtLeast whether the job is behind the turns that were examined
 * @param before by customer, how many jobs have an examined turn before the job; the key is empty
 *     for jobs without a customer. The map is empty for order fifo, whose rows name no customer
 */
public record PoolTurn(int number, boolean isAtLeast, Map<String, Long> before) {

  /** How many turns are examined at most, because each of them reads the rows of a customer. */
  public static final int MOST_TURNS = 100;

  /**
   * Determines the turn by making the pool's choice without storing it.
   *
   * @return null if the choice ends before it reaches the job, or if the waiting jobs are being
   *     stored by another order. The choice ends early if the customer is at its limit or reaches
   *     it, or if too many customers are at their limits
   */
  static @Nullable PoolTurn read(Pools pools, Pool pool, PoolState state, JobId job, Instant now) {
    if (!state.isOrderedBy(pool.order())) {
      return null;
    }
    Taker reader = new Taker(false, 0, now);
    List<ReadyJob> turns =
        new PoolQueue(pools).choose(pool, state, MOST_TURNS, Set.of(), reader, now).jobs();
    int before = turns.stream().map(ReadyJob::job).toList().indexOf(job);
    boolean isAtLeast = before < 0;
    if (isAtLeast && turns.size() < MOST_TURNS) {
      return null;
    }
    List<ReadyJob> examined = isAtLeast ? turns : turns.subList(0, before);
    Map<String, Long> customers =
        pool.order() == Order.FIFO
            ? Map.of()
            : examined.stream()
                .collect(Collectors.groupingBy(ReadyJob::customer, Collectors.counting()));
    return new PoolTurn(examined.size() + 1, isAtLeast, customers);
  }
}
