package dev.carillon.metrics;

import dev.carillon.id.PoolId;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a metric are about. CloudWatch bills each metric separately for each scope.
 *
 * @param pool null for the whole stack
 * @param customer a customer of the pool; null for all
 */
public record Scope(@Nullable PoolId pool, @Nullable String customer) {

  /** The whole stack. */
  public static final Scope STACK = new Scope(null, null);

  public static Scope of(PoolId pool) {
    return new Scope(pool, null);
  }

  public static Scope of(PoolId pool, String customer) {
    return new Scope(pool, customer);
  }
}
