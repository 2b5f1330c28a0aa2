package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.instantOrNull;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.master.StatusStore;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The master's status on DynamoDB: an item for each of its two parts, which change alone. */
public final class DynamoStatus implements StatusStore {

  private static final String ID = "id";
  private static final String PROGRESS = "progress";
  private static final String LAST_PROCESSED = "lastProcessedTime";
  private static final String AUDIT = "audit";
  private static final String AUDITED_AT = "auditedAt";
  private static final String AUDIT_CURSOR = "auditCursor";
  private static final String SHARDS = "shards";
  private static final String TIMER_SHARDS = "timerShards";
  private static final String ATTENTION_SHARDS = "attentionShards";

  private final Writes writes;
  private final Batches batches;
  private final String table;

  public DynamoStatus(DynamoDbClient client, Tables tables, Fanout fanout) {
    this.writes = new Writes(client);
    this.batches = new Batches(client, fanout);
    this.table = tables.status();
  }

  @Override
  public Optional<Status> read() {
    Map<String, Map<String, AttributeValue>> items = new HashMap<>();
    for (Map<String, AttributeValue> item :
        batches.get(table, List.of(key(PROGRESS), key(AUDIT)))) {
      items.put(textOf(item, ID), item);
    }
    Map<String, AttributeValue> progress = items.get(PROGRESS);
    if (progress == null) {
      return Optional.empty();
    }
    Map<String, AttributeValue> audit = items.getOrDefault(AUDIT, Map.of());
    AttributeValue cursor = audit.get(AUDIT_CURSOR);
    return Optional.of(
        new Status(
            instantOf(progress, LAST_PROCESSED),
            instantOrNull(audit, AUDITED_AT),
            cursor == null ? null : cursor.s()));
  }

  @Override
  public Shards shards(Shards configured) {
    List<Map<String, AttributeValue>> items = batches.get(table, List.of(key(SHARDS)));
    Shards stored = items.isEmpty() ? new Shards(0, 0) : shards(items.get(0));
    Shards raised = stored.raisedTo(configured);
    while (!stored.covers(raised)) {
      Optional<Map<String, AttributeValue>> other = writes.put(table, item(raised), unless(raised));
      stored = other.map(DynamoStatus::shards).orElse(raised);
      raised = stored.raisedTo(raised);
    }
    return raised;
  }

  private static Shards shards(Map<String, AttributeValue> item) {
    return new Shards(
        (int) numberOf(item, TIMER_SHARDS, 0), (int) numberOf(item, ATTENTION_SHARDS, 0));
  }

  private static Map<String, AttributeValue> item(Shards shards) {
    Map<String, AttributeValue> item = new HashMap<>(key(SHARDS));
    item.put(TIMER_SHARDS, number(shards.timers()));
    item.put(ATTENTION_SHARDS, number(shards.attention()));
    return item;
  }

  /** That nobody has stored more of either meanwhile. */
  private static Condition unless(Shards shards) {
    return new Condition(
        "attribute_not_exists(#t) OR (#t <= :t AND #a <= :a)",
        Map.of("#t", TIMER_SHARDS, "#a", ATTENTION_SHARDS),
        Map.of(":t", number(shards.timers()), ":a", number(shards.attention())));
  }

  @Override
  public void advance(Instant lastProcessedTime) {
    Map<String, AttributeValue> item = new HashMap<>(key(PROGRESS));
    item.put(LAST_PROCESSED, millis(lastProcessedTime));
    Condition earlier =
        new Condition(
            "attribute_not_exists(#last) OR #last < :last",
            Map.of("#last", LAST_PROCESSED),
            Map.of(":last", millis(lastProcessedTime)));
    writes.put(table, item, earlier);
  }

  @Override
  public boolean saveAudit(
      Status before, @Nullable Instant auditedAt, @Nullable String auditCursor) {
    Map<String, AttributeValue> item = new HashMap<>(key(AUDIT));
    item.putAll(audit(auditedAt, auditCursor));
    Condition unchanged = unchanged(audit(before.auditedAt(), before.auditCursor()));
    return writes.put(table, item, unchanged).isEmpty();
  }

  private static Map<String, AttributeValue> audit(
      @Nullable Instant auditedAt, @Nullable String auditCursor) {
    Map<String, AttributeValue> attributes = new HashMap<>();
    if (auditedAt != null) {
      attributes.put(AUDITED_AT, millis(auditedAt));
    }
    if (auditCursor != null) {
      attributes.put(AUDIT_CURSOR, text(auditCursor));
    }
    return attributes;
  }

  private static Condition unchanged(Map<String, AttributeValue> before) {
    List<String> parts = new ArrayList<>();
    Map<String, AttributeValue> values = new HashMap<>();
    for (String name : List.of(AUDITED_AT, AUDIT_CURSOR)) {
      AttributeValue value = before.get(name);
      if (value == null) {
        parts.add("attribute_not_exists(#" + name + ")");
      } else {
        parts.add("#" + name + " = :" + name);
        values.put(":" + name, value);
      }
    }
    Map<String, String> names =
        Map.of("#" + AUDITED_AT, AUDITED_AT, "#" + AUDIT_CURSOR, AUDIT_CURSOR);
    return new Condition(String.join(" AND ", parts), names, values);
  }

  private static Map<String, AttributeValue> key(String id) {
    return Map.of(ID, text(id));
  }
}
