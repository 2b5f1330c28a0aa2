package dev.carillon.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a pool: one for each customer with a weight of its own, and one for all others
 * together, whose weight is their number. A flow can be chosen only if its next turn has begun by
 * the virtual time. Among these flows, the flow whose turn ends first is chosen: earliest
 * pseudo-deadline first, which keeps each flow within one turn of its share on a single resource
 * (Baruah, Cohen, Plaxton and Varvel, "Proportionate progress", 1996).
 */
final class Flows {

  private static final double ROUNDING = 1e-9;

  private final Pool pool;
  private final WaitingCustomers waiting;

  Flows(Pool pool, WaitingCustomers waiting) {
    this.pool = pool;
    this.waiting = waiting;
  }

  /**
   * Lets the flows that have work again join at the present virtual time. Returns the resulting
   * turns.
   */
  Turns activate(int priority, Turns given) {
    Turns current = given;
    for (String name : given.flows().keySet()) {
      boolean isFlow = name.equals(Turns.REST) || pool.weights().containsKey(name);
      current = isFlow ? current : current.without(name);
    }
    if (pool.weights().isEmpty()) {
      return current;
    }
    boolean isRestActive = !current.flows().containsKey(Turns.REST);
    for (String name : List.copyOf(waiting.newcomers(priority))) {
      if (pool.weights().containsKey(name)) {
        current = current.active(name);
        waiting.welcomed(priority, name);
      } else {
        isRestActive = true;
      }
    }
    return isRestActive ? current.active(Turns.REST) : current;
  }

  /** The flow that has the next turn; null if no flow is left. */
  @Nullable String next(int priority, Turns current, Set<String> without) {
    Map<String, Double> weights = weights(priority, current, without);
    if (weights.size() <= 1) {
      return weights.isEmpty() ? null : weights.keySet().iterator().next();
    }
    double sum = sum(weights);
    String best = null;
    double bestEnd = 0;
    boolean isBestBegun = false;
    for (String flow : weights.keySet().stream().sorted().toList()) {
      double start = current.start(flow);
      boolean hasBegun = start < current.time() + 1 / sum - ROUNDING;
      double end = start + 1 / weights.getOrDefault(flow, 1.0);
      boolean isEarlier = end < bestEnd - ROUNDING;
      if (best == null || (hasBegun && !isBestBegun) || (hasBegun == isBestBegun && isEarlier)) {
        best = flow;
        bestEnd = end;
        isBestBegun = hasBegun;
      }
    }
    return best;
  }

  private static double sum(Map<String, Double> weights) {
    return weights.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The weights of the flows that can have work. */
  private Map<String, Double> weights(int priority, Turns current, Set<String> without) {
    Map<String, Double> weights = new HashMap<>();
    if (!without.contains(Turns.REST)) {
      weights.put(Turns.REST, restWeight(priority, current));
    }
    current
        .flows()
        .forEach(
            (name, flow) -> {
              Double weight = pool.weights().get(name);
              if (weight != null && flow.isActive() && !without.contains(name)) {
                weights.put(name, weight);
              }
            });
    return weights;
  }

  /** The number of customers without a weight of their own. */
  private double restWeight(int priority, Turns current) {
    if (pool.weights().isEmpty()) {
      return 1;
    }
    int counted = current.served() + waiting.newcomers(priority).size();
    return Math.max(1, Math.max(counted, current.servedBefore()));
  }

  /**
   * The turns after a turn of a flow: the virtual time has advanced. If no customer has a weight,
   * the virtual time is not needed and stays.
   *
   * <p>If no flow's turn had begun, some of the counted flows had nothing to take. The virtual time
   * then advances to the earliest beginning of a turn, so that these flows gain nothing.
   *
   * @param before the turns from which the flow was chosen
   * @param after the turns after its customer was chosen
   */
  Turns taken(String flow, int priority, Turns before, Turns after, Set<String> without) {
    if (pool.weights().isEmpty()) {
      return after;
    }
    Map<String, Double> weights = weights(priority, before, without);
    double weight = weights.getOrDefault(flow, 1.0);
    double begun = weights.keySet().stream().mapToDouble(after::start).min().orElse(0);
    return after.active(flow).taken(flow, weight, Math.max(after.time(), begun), sum(weights));
  }
}
