package dev.carillon.campaign.judge;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A definition of the pool.
 *
 * @param hasQueue whether the pool fills a queue; otherwise its jobs are only pulled
 * @param depth how many requests wait in its queue at most
 * @param isFifo whether the oldest job is the next one, whatever its customer
 * @param weights the weights of customers that differ from 1
 * @param limits the largest number of unfinished attempts of each customer that has a limit;
 *     {@value #DEFAULT} stands for each other customer
 * @param isPaused whether the pool moves nothing
 */
public record PoolSpec(
    boolean hasQueue,
    int depth,
    boolean isFifo,
    Map<String, Integer> weights,
    Map<String, Integer> limits,
    boolean isPaused) {

  /** Stands for the customers without a limit of their own. */
  public static final String DEFAULT = "default";

  public PoolSpec {
    weights = Collections.unmodifiableMap(new TreeMap<>(weights));
    limits = Collections.unmodifiableMap(new TreeMap<>(limits));
  }

  /** The most unfinished attempts of a customer; the largest number if it has no limit. */
  int limitOf(String customer) {
    return limits.getOrDefault(customer, limits.getOrDefault(DEFAULT, Integer.MAX_VALUE));
  }

  boolean hasLimit(String customer) {
    return limitOf(customer) < Integer.MAX_VALUE;
  }
}
