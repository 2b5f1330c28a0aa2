package dev.carillon.metrics;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.metrics.Metric.Unit;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Metrics in CloudWatch's embedded metric format: at most one line of JSON for each invocation.
 * CloudWatch extracts metrics with the single dimension {@code Stack}.
 */
public final class EmfMetrics implements Metrics {

  /** How many values of a metric the format allows in one line. */
  static final int MOST_VALUES = 100;

  private final String namespace;
  private final String stack;
  private final Consumer<String> lines;
  private final InstantSource clock;
  private final Map<Metric, List<Long>> added = new EnumMap<>(Metric.class);

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
  public synchronized void add(Metric metric, long value) {
    List<Long> values = added.computeIfAbsent(metric, any -> new ArrayList<>());
    if (metric.unit() == Unit.COUNT && !values.isEmpty()) {
      values.set(0, values.get(0) + value);
    } else {
      values.add(value);
    }
  }

  @Override
  public synchronized void publish() {
    if (!added.isEmpty()) {
      String line = Json.write(document());
      added.clear();
      lines.accept(line);
    }
  }

  @Override
  public synchronized void discard() {
    added.clear();
  }

  private ObjectNode document() {
    ObjectNode document = Json.object();
    ObjectNode metadata =
        document.putObject("_aws").put("Timestamp", clock.instant().toEpochMilli());
    ObjectNode directive =
        metadata.putArray("CloudWatchMetrics").addObject().put("Namespace", namespace);
    directive.putArray("Dimensions").addArray().add("Stack");
    ArrayNode metrics = directive.putArray("Metrics");
    document.put("Stack", stack);
    for (Map.Entry<Metric, List<Long>> entry : added.entrySet()) {
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

  /**
   * Reduces too many values to those at evenly spaced ranks, including the least and the greatest,
   * which preserves percentiles.
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
