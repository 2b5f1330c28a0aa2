package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.carillon.id.ScheduleId;
import java.util.Locale;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * An event key that a generation of a schedule waits for, as an item.
 *
 * @param indexed namespace and event key
 */
record EventKeyRow(String schedule, String item, String indexed) {

  static final String INDEX = "eventKey";

  static final TableSchema<EventKeyRow> SCHEMA =
      Schema.of(
              EventKeyRow.class,
              EventKeyRowBuilder.class,
              EventKeyRowBuilder::builder,
              EventKeyRowBuilder::build)
          .with(
              "schedule",
              Forms.TEXT,
              EventKeyRow::schedule,
              EventKeyRowBuilder::schedule,
              primaryPartitionKey(),
              secondarySortKey(INDEX))
          .with("item", Forms.TEXT, EventKeyRow::item, EventKeyRowBuilder::item, primarySortKey())
          .with(
              INDEX,
              Forms.TEXT,
              EventKeyRow::indexed,
              EventKeyRowBuilder::indexed,
              secondaryPartitionKey(INDEX))
          .build();

  static EventKeyRow of(ScheduleId id, long generation, String eventKey) {
    String item = String.format(Locale.ROOT, "trigger#%010d#%s", generation, eventKey);
    return new EventKeyRow(id.toString(), item, indexed(id.namespace(), eventKey));
  }

  static String indexed(String namespace, String eventKey) {
    return namespace + "|" + eventKey;
  }
}
