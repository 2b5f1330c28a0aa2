package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.moment;
import static dev.carillon.dynamodb.Values.momentOf;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A schedule's definition as an item. What a small one tells lies in its head's item, too: whoever
 * reads the head before a launch needs no further read, which costs half as much as the head.
 */
final class DefinitionRow {

  static final String ITEM = "def";

  /** The version of the head that it was stored with: tells whether the two were read together. */
  static final String HEAD_VERSION = "headVersion";

  /** The item stays below the 4 KB that one read unit pays for, whatever else the head tells. */
  private static final int MOST_BYTES_IN_HEAD = 2_048;

  private static final String SCHEDULE = "schedule";
  private static final String GENERATION = "generation";
  private static final String DOCUMENT = "document";
  private static final String GENERATION_SINCE = "generationSince";
  private static final String CREATED_AT = "createdAt";
  private static final String CREATED_BY = "createdBy";
  private static final String UPDATED_AT = "updatedAt";

  private DefinitionRow() {}

  static Map<String, AttributeValue> of(Definition definition) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(SCHEDULE, text(definition.id().toString()));
    item.put("item", text(ITEM));
    item.put(GENERATION, number(definition.generation()));
    put(item, definition, Json.write(definition.document()));
    return item;
  }

  /** Adds a small definition to its head's item, which has the same schedule and generation. */
  static void addIfSmall(Map<String, AttributeValue> head, Definition definition) {
    String document = Json.write(definition.document());
    if (document.getBytes(UTF_8).length <= MOST_BYTES_IN_HEAD) {
      put(head, definition, document);
    }
  }

  /** Whether it is the item of a definition, or of a head to which one was added. */
  static boolean isIn(Map<String, AttributeValue> item) {
    return item.containsKey(DOCUMENT);
  }

  private static void put(
      Map<String, AttributeValue> item, Definition definition, String document) {
    item.put(DOCUMENT, text(document));
    item.put(GENERATION_SINCE, moment(definition.generationSince()));
    item.put(CREATED_AT, moment(definition.createdAt()));
    item.put(CREATED_BY, text(definition.createdBy()));
    item.put(UPDATED_AT, moment(definition.updatedAt()));
  }

  static Definition read(Map<String, AttributeValue> item) {
    return new Definition(
        ScheduleId.parse(textOf(item, SCHEDULE)),
        numberOf(item, GENERATION),
        Json.readObject(textOf(item, DOCUMENT)),
        momentOf(item, GENERATION_SINCE),
        momentOf(item, CREATED_AT),
        textOf(item, CREATED_BY),
        momentOf(item, UPDATED_AT));
  }
}
