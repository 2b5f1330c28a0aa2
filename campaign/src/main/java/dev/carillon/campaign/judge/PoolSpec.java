package dev.carillon.campaign.judge;

import java.util.Map;

/**
 * A definition of the pool.
 *
 * @param depth how many requests wait in its queue at most
 * @param isFifo whether the oldest job is the next one, whatever its customer
 * @param weights of customers that differ from 1
 * @param limits the most unfinished attempts of customers that have a limit
 * @param isPaused whether it moves nothing
 */
public record PoolSpec(
    int depth,
    boolean isFifo,
    Map<String, Integer> weights,
    Map<String, Integer> limits,
    boolean isPaused) {

  public PoolSpec {
    weights = Map.copyOf(weights);
    limits = Map.copyOf(limits);
  }
}
