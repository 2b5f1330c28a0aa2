package dev.carillon.system;

import dev.carillon.metrics.Metric;
import dev.carillon.metrics.Metrics;
import dev.carillon.metrics.Scope;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The metrics of all functions of a world, over all their invocations. */
public final class SummedMetrics implements Metrics {

  private final Map<Scope, Map<Metric, List<Long>>> added = new HashMap<>();

  @Override
  public void add(Metric metric, Scope scope, long value) {
    added
        .computeIfAbsent(scope, any -> new EnumMap<>(Metric.class))
        .computeIfAbsent(metric, any -> new ArrayList<>())
        .add(value);
  }

  @Override
  public void publish() {}

  @Override
  public void discard() {
    added.clear();
  }

  long sum(Metric metric) {
    return values(metric).stream().mapToLong(value -> value).sum();
  }

  long sum(Metric metric, Scope scope) {
    return values(metric, scope).stream().mapToLong(value -> value).sum();
  }

  List<Long> values(Metric metric) {
    return values(metric, Scope.STACK);
  }

  List<Long> values(Metric metric, Scope scope) {
    return added.getOrDefault(scope, Map.of()).getOrDefault(metric, List.of());
  }

  /** The sums of the counting metrics of the whole stack, without zeros. */
  public Map<Metric, Long> counts() {
    Map<Metric, Long> counts = new TreeMap<>();
    for (Metric metric : Metric.values()) {
      boolean isCount =
          metric != Metric.LAUNCH_LATENCY
              && metric != Metric.OLDEST_DUE_AGE
              && metric != Metric.LAG
              && metric != Metric.DEDUP_WINDOW;
      if (isCount && sum(metric) != 0) {
        counts.put(metric, sum(metric));
      }
    }
    return counts;
  }
}
