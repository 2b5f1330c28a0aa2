package dev.carillon.dynamodb;

import dev.carillon.gate.GateDemands;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.ScheduleId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What the schedules of a namespace ask of gates, as one item with an attribute for each schedule:
 * so they change it without reading it.
 */
final class GatedRow {

  private static final String ITEM = "gated";
  private static final String PREFIX = "g#";

  /** No schedule has it: a schedule's key holds a slash. */
  static final TableSchema<String> KEY =
      Schema.ofKey(
          String.class,
          "schedule",
          namespace -> namespace,
          "item",
          namespace -> ITEM,
          (namespace, item) -> namespace);

  static final TableSchema<Gated> SCHEMA =
      Schema.of(
              Gated.class,
              GatedRowGatedBuilder.class,
              () -> GatedRowGatedBuilder.builder().demands(Map.of()),
              GatedRowGatedBuilder::build)
          .flat(KEY, Gated::namespace, GatedRowGatedBuilder::namespace)
          .others("demands", Gated::demands, GatedRowGatedBuilder::demands)
          .build();

  private GatedRow() {}

  /**
   * @param demands texts, by the names of their attributes
   */
  record Gated(String namespace, Map<String, String> demands) {}

  static boolean isOne(Row<?> row) {
    return row.text("item").equals(ITEM);
  }

  /** The change of one schedule's attribute: its text, or null to remove it. */
  static Row<Gated> change(ScheduleId id, GateDemands demands) {
    AttributeValue text =
        demands.limits().isEmpty()
            ? AttributeValue.fromNul(true)
            : AttributeValue.fromS(demands.text());
    return new Row<>(KEY.itemToMap(id.namespace(), true), SCHEMA).with(PREFIX + id.name(), text);
  }

  /** One for each namespace, also for those of which nothing is stored. */
  static Map<String, GatedPrograms> read(Collection<String> namespaces, List<Row<Gated>> rows) {
    Map<String, GatedPrograms> gated = new HashMap<>();
    for (String namespace : namespaces) {
      gated.put(namespace, new GatedPrograms(namespace, List.of()));
    }
    for (Row<Gated> row : rows) {
      Gated stored = row.record();
      List<GateDemands> demands =
          stored.demands().entrySet().stream()
              .filter(attribute -> attribute.getKey().startsWith(PREFIX))
              .map(attribute -> GateDemands.parse(attribute.getValue()))
              .toList();
      gated.put(stored.namespace(), new GatedPrograms(stored.namespace(), demands));
    }
    return gated;
  }
}
