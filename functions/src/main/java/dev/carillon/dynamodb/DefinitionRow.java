package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.moment;
import static dev.carillon.dynamodb.Values.momentOf;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.Json;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.ScheduleId;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A schedule's definition as an item. */
final class DefinitionRow {

  static final String ITEM = "def";

  /** The version of the head that it was stored with: tells whether the two were read together. */
  static final String HEAD_VERSION = "headVersion";

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
    item.put(DOCUMENT, text(Json.write(definition.document())));
    item.put(GENERATION_SINCE, moment(definition.generationSince()));
    item.put(CREATED_AT, moment(definition.createdAt()));
    item.put(CREATED_BY, text(definition.createdBy()));
    item.put(UPDATED_AT, moment(definition.updatedAt()));
    return item;
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
