package dev.carillon.metrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.metrics.Metric.Unit;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Metrics in CloudWatch's embedded metric format: at most one line of JSON for each scope in an
 * invocation. Every metric has the dimension {@code Stack}. A metric of a pool also has {@code
 * Pool}, and a metric of a customer of a pool also has {@code Customer}.
 */
public final class EmfMetrics implements Metrics {

  /** How many values of a metric the format allows in one line. */
  static final int MOST_VALUES = 100;

  private final String namespace;
  private final String stack;
  private final Consumer<String> lines;
  private final InstantSource clock;
  private final Map<Scope, Map<Metric, List<Long>>> added = new LinkedHashMap<>();

  /**
   * @param lines receives each line without its line break
   */
  public EmfMetrics(String namespace, String stack, Consumer<String> lines, InstantSource clock) {
    this.namespace = namespace;
    this.stack = stack;
    this.lines = lines;
    this.clock = clock;
  }

  @Override
  public synchronized void add(Metric metric, Scope scope, long value) {
    List<Long> values =
        added
            .computeIfAbsent(scope, any -> new EnumMap<>(Metric.class))
            .computeIfAbsent(metric, any -> new ArrayList<>());
    if (metric.unit() == Unit.COUNT && !values.isEmpty()) {
      values.set(0, values.get(0) + value);
    } else {
      values.add(value);
    }
  }

  @Override
  public synchronized void publish() {
    List<String> written = new ArrayList<>();
    added.forEach((scope, values) -> written.add(Json.write(document(scope, values))));
    added.clear();
    written.forEach(lines);
  }

  @Override
  public synchronized void discard() {
    added.clear();
  }

  private ObjectNode document(Scope scope, Map<Metric, List<Long>> measured) {
    ObjectNode document = Json.object();
    ObjectNode metadata =
        document.putObject("_aws").put("Timestamp", clock.instant().toEpochMilli());
    ObjectNode directive =
        metadata.putArray("CloudWatchMetrics").addObject().put("Namespace", namespace);
    ArrayNode dimensions = directive.putArray("Dimensions").addArray();
    ArrayNode metrics = directive.putArray("Metrics");
    dimensions(scope)
        .forEach(
            (dimension, value) -> {
              dimensions.add(dimension);
              document.put(dimension, value);
            });
    for (Map.Entry<Metric, List<Long>> entry : measured.entrySet()) {
      Metric metric = entry.getKey();
      List<Long> values = entry.getValue();
      metrics.addObject().put("Name", metric.text()).put("Unit", metric.unit().text());
      if (values.size() == 1) {
        document.put(metric.text(), values.get(0));
      } else {
        ArrayNode array = document.putArray(metric.text());
        representatives(values).forEach(array::add);
      }
    }
    return document;
  }

  private Map<String, String> dimensions(Scope scope) {
    Map<String, String> dimensions = new LinkedHashMap<>();
    dimensions.put("Stack", stack);
    if (scope.pool() != null) {
      dimensions.put("Pool", scope.pool().namespace() + "/" + scope.pool().name());
    }
    if (scope.customer() != null) {
      dimensions.put("Customer", scope.customer());
    }
    return dimensions;
  }

  /**
   * If there are too many values, keeps those at evenly spaced ranks, with the least and the
   * greatest. This preserves the percentiles.
   */
  private static List<Long> representatives(List<Long> values) {
    if (values.size() <= MOST_VALUES) {
      return values;
    }
    List<Long> sorted = values.stream().sorted().toList();
    List<Long> chosen = new ArrayList<>();
    for (int rank = 0; rank < MOST_VALUES; rank++) {
      chosen.add(sorted.get((int) ((long) rank * (sorted.size() - 1) / (MOST_VALUES - 1))));
    }
    return chosen;
  }
}
