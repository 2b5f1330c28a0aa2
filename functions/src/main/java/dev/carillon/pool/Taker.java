package dev.carillon.pool;

import dev.carillon.pool.PoolState.Leaving;
import java.time.Instant;
import java.util.List;

/**
 * The invocation that takes the chosen jobs out of the pool.
 *
 * @param isPulling whether the invocation hands the jobs to a worker
 * @param newlyMoved how many jobs were moved into the queue since the last choice, as far as the
 *     invocation knows
 * @param until when the right of the invocation to the jobs ends
 * @param again jobs of earlier choices, which it takes out before any job that is not more urgent
 * @param room how many further jobs it can choose
 */
public record Taker(
    boolean isPulling, long newlyMoved, Instant until, List<Leaving> again, int room) {

  /** An invocation that chooses no job again. */
  public Taker(boolean isPulling, long newlyMoved, Instant until) {
    this(isPulling, newlyMoved, until, List.of(), Integer.MAX_VALUE);
  }
}
