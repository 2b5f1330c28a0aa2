package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Fanout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The trigger entries of schedules, and the index that finds them by event key. */
final class EventKeyIndex {

  private static final String INDEX = "eventKey";

  private final DynamoDbClient client;
  private final String table;
  private final Fanout fanout;

  EventKeyIndex(DynamoDbClient client, String table, Fanout fanout) {
    this.client = client;
    this.table = table;
    this.fanout = fanout;
  }

  static Map<String, AttributeValue> entry(ScheduleId id, long generation, String eventKey) {
    Map<String, AttributeValue> item = new HashMap<>(key(id, generation, eventKey));
    item.put(INDEX, indexKey(id.namespace(), eventKey));
    return item;
  }

  static Map<String, AttributeValue> key(ScheduleId id, long generation, String eventKey) {
    return Map.of("schedule", text(id.toString()), "item", text(itemName(generation, eventKey)));
  }

  Set<ScheduleId> schedules(String namespace, String eventKey) {
    QueryRequest query = query("eventKey = :key", Map.of(":key", indexKey(namespace, eventKey)));
    Set<ScheduleId> found = new HashSet<>();
    for (Map<String, AttributeValue> item : Queries.all(client, query)) {
      found.add(ScheduleId.parse(textOf(item, "schedule")));
    }
    return found;
  }

  boolean shows(ScheduleId id, long generation, Set<String> eventKeys) {
    return fanout.map(List.copyOf(eventKeys), key -> shows(id, generation, key)).stream()
        .allMatch(shown -> shown);
  }

  private boolean shows(ScheduleId id, long generation, String eventKey) {
    QueryRequest query =
        query(
            "eventKey = :key AND schedule = :schedule",
            Map.of(
                ":key", indexKey(id.namespace(), eventKey),
                ":schedule", text(id.toString())));
    String wanted = itemName(generation, eventKey);
    return Queries.all(client, query).stream()
        .anyMatch(item -> textOf(item, "item").equals(wanted));
  }

  private QueryRequest query(String condition, Map<String, AttributeValue> values) {
    return QueryRequest.builder()
        .tableName(table)
        .indexName(INDEX)
        .keyConditionExpression(condition)
        .expressionAttributeValues(values)
        .build();
  }

  private static AttributeValue indexKey(String namespace, String eventKey) {
    return text(namespace + "|" + eventKey);
  }

  private static String itemName(long generation, String eventKey) {
    return String.format(Locale.ROOT, "trigger#%010d#%s", generation, eventKey);
  }
}
