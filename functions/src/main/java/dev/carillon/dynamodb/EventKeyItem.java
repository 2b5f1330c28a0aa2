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
record EventKeyItem(String schedule, String item, String indexed) {

  static final String PREFIX = "trigger#";
  static final String INDEX = "eventKey";

  static final TableSchema<EventKeyItem> SCHEMA =
      Schema.of(
              EventKeyItem.class,
              EventKeyItemBuilder.class,
              EventKeyItemBuilder::builder,
              EventKeyItemBuilder::build)
          .with(
              "schedule",
              Forms.TEXT,
              EventKeyItem::schedule,
              EventKeyItemBuilder::schedule,
              primaryPartitionKey(),
              secondarySortKey(INDEX))
          .with("item", Forms.TEXT, EventKeyItem::item, EventKeyItemBuilder::item, primarySortKey())
          .with(
              INDEX,
              Forms.TEXT,
              EventKeyItem::indexed,
              EventKeyItemBuilder::indexed,
              secondaryPartitionKey(INDEX))
          .build();

  static EventKeyItem of(ScheduleId id, long generation, String eventKey) {
    String item = String.format(Locale.ROOT, PREFIX + "%010d#%s", generation, eventKey);
    return new EventKeyItem(id.toString(), item, indexed(id.namespace(), eventKey));
  }

  static Item<EventKeyItem> item(ScheduleId id, long generation, String eventKey) {
    return Item.of(of(id, generation, eventKey), SCHEMA);
  }

  static String indexed(String namespace, String eventKey) {
    return namespace + "|" + eventKey;
  }
}
