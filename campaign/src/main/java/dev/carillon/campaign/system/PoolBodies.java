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
    return "{%s\"order\": \"%s\", \"weights\": {%s}, \"maxInFlight\": {%s}, \"paused\": %b}"
        .formatted(
            pool.hasQueue()
                ? "\"queue\": \"%s\", \"depth\": %d, ".formatted(QUEUE, pool.depth())
                : "",
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
    return request("PUT", "", document(pool));
  }

  /**
   * A request for the next jobs.
   *
   * @param requestId empty for none
   */
  static APIGatewayProxyRequestEvent next(
      String requestId, String worker, int count, long waitSeconds) {
    String id = requestId.isEmpty() ? "" : ", \"requestId\": \"" + requestId + "\"";
    return request(
        "POST",
        "/next",
        "{\"count\": %d, \"worker\": \"%s\", \"waitSeconds\": %d%s}"
            .formatted(count, worker, waitSeconds, id));
  }

  private static APIGatewayProxyRequestEvent request(String method, String action, String body) {
    return RequestBodies.request(
        method,
        "/v1/namespaces/{ns}/pools/{pool}" + action,
        Map.of("ns", "default", "pool", Scenario.POOL),
        body);
  }
}
