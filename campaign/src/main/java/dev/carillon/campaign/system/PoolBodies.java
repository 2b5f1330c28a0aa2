package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.PoolSpec;
import dev.carillon.campaign.scenario.Scenario;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pools, and places in them, in the form in which users write them. */
final class PoolBodies {

  /** The queue that the pool fills. */
  static final String QUEUE = "pooled";

  private PoolBodies() {}

  static String place(@Nullable InPool pool) {
    return pool == null
        ? ""
        : "\"pool\": \"%s\", \"customer\": \"%s\", \"priority\": %d,"
            .formatted(Scenario.POOL, pool.customer(), pool.priority());
  }

  static String document(PoolSpec pool) {
    return "{\"queue\": \"%s\", \"depth\": %d, \"order\": \"%s\", \"weights\": {%s}, \"maxInFlight\": {%s}, \"paused\": %b}"
        .formatted(
            QUEUE,
            pool.depth(),
            pool.isFifo() ? "fifo" : "fair",
            members(pool.weights()),
            members(pool.limits()),
            pool.isPaused());
  }

  private static String members(Map<String, Integer> numbers) {
    return new TreeMap<>(numbers)
        .entrySet().stream()
            .map(one -> "\"%s\": %d".formatted(one.getKey(), one.getValue()))
            .collect(Collectors.joining(", "));
  }

  static APIGatewayProxyRequestEvent put(PoolSpec pool) {
    return RequestBodies.request(
        "PUT",
        "/v1/namespaces/{ns}/pools/{pool}",
        Map.of("ns", "default", "pool", Scenario.POOL),
        document(pool));
  }
}
