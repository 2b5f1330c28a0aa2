package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.gate.Asks;
import dev.carillon.gate.GatedPrograms;
import dev.carillon.id.ScheduleId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * What the schedules of a namespace ask of gates, as one item with an attribute for each schedule:
 * so they change it without reading it.
 */
final class GatedRow {

  private static final String ITEM = "gated";
  private static final String PREFIX = "g#";

  private GatedRow() {}

  /** No schedule has it: a schedule's key holds a slash. */
  static Map<String, AttributeValue> key(String namespace) {
    return Map.of("schedule", text(namespace), "item", text(ITEM));
  }

  static boolean isOne(Map<String, AttributeValue> item) {
    return textOf(item, "item").equals(ITEM);
  }

  static TransactWriteItem write(String table, ScheduleId id, Asks asks) {
    boolean gone = asks.limits().isEmpty();
    return TransactWriteItem.builder()
        .update(
            update -> {
              update
                  .tableName(table)
                  .key(key(id.namespace()))
                  .updateExpression(gone ? "REMOVE #asks" : "SET #asks = :asks")
                  .expressionAttributeNames(Map.of("#asks", PREFIX + id.name()));
              if (!gone) {
                update.expressionAttributeValues(Map.of(":asks", text(asks.text())));
              }
            })
        .build();
  }

  /** One for each namespace, also for those of which nothing is stored. */
  static Map<String, GatedPrograms> read(
      Collection<String> namespaces, Collection<Map<String, AttributeValue>> items) {
    Map<String, GatedPrograms> gated = new HashMap<>();
    for (String namespace : namespaces) {
      gated.put(namespace, new GatedPrograms(namespace, List.of()));
    }
    for (Map<String, AttributeValue> item : items) {
      String namespace = textOf(item, "schedule");
      List<Asks> asks = new ArrayList<>();
      item.forEach(
          (name, value) -> {
            if (name.startsWith(PREFIX)) {
              asks.add(Asks.parse(value.s()));
            }
          });
      gated.put(namespace, new GatedPrograms(namespace, asks));
    }
    return gated;
  }
}
