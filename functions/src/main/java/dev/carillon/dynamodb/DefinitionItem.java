package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.JSON;
import static dev.carillon.dynamodb.Forms.MOMENT;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A schedule's definition as an item. The head's item also contains the definition if it is small:
 * a checker that reads the head before a launch then needs no second read.
 */
final class DefinitionItem {

  static final String ITEM = "def";

  /**
   * The version of the head that was stored with the definition. It shows whether the head and the
   * definition that were read come from one change.
   */
  private static final String HEAD_VERSION = "headVersion";

  /**
   * The limit keeps the head's item below the 4 KB of one read unit, whatever else the item
   * contains.
   */
  private static final int MOST_BYTES_IN_HEAD = 2_048;

  private static final String DOCUMENT = "document";

  static final TableSchema<ScheduleId> KEY = HeadItem.key(ITEM);

  static final TableSchema<Definition> SCHEMA =
      Schema.of(
              Definition.class,
              DefinitionBuilder.class,
              DefinitionBuilder::builder,
              DefinitionBuilder::build)
          .flat(KEY, Definition::id, DefinitionBuilder::id)
          .with("generation", NUMBER, Definition::generation, DefinitionBuilder::generation)
          .with(DOCUMENT, JSON, Definition::document, DefinitionBuilder::document)
          .with(
              "generationSince",
              MOMENT,
              Definition::generationSince,
              DefinitionBuilder::generationSince)
          .with("createdAt", MOMENT, Definition::createdAt, DefinitionBuilder::createdAt)
          .with("createdBy", TEXT, Definition::createdBy, DefinitionBuilder::createdBy)
          .with("updatedAt", MOMENT, Definition::updatedAt, DefinitionBuilder::updatedAt)
          .build();

  private DefinitionItem() {}

  /**
   * @param headVersion the version of the head that is stored with the definition
   */
  static Item<Definition> of(Definition definition, long headVersion) {
    return Item.of(definition, SCHEMA).with(HEAD_VERSION, Forms.NUMBER.transformFrom(headVersion));
  }

  /** Adds a small definition to its head; both have the same schedule and generation. */
  static Item<Head> addedIfSmall(Item<Head> head, Definition definition) {
    Item<Definition> item = Item.of(definition, SCHEMA);
    return item.text(DOCUMENT).getBytes(UTF_8).length > MOST_BYTES_IN_HEAD
        ? head
        : head.with(item.with(head.attributes()).attributes());
  }

  /** Whether the item is a definition, or a head that contains one. */
  static boolean isIn(Item<?> item) {
    return item.attributes().containsKey(DOCUMENT);
  }

  /**
   * Whether the item was stored with this version of the head; false if the version cannot be read
   * from the item.
   */
  static boolean isOfHead(Item<?> item, long version) {
    AttributeValue stored = item.attributes().get(HEAD_VERSION);
    return Forms.NUMBER.transformFrom(version).equals(stored);
  }

  /** The version of the head that was stored with the definition. */
  static long headVersion(Item<?> item) {
    return Forms.NUMBER.transformTo(Schema.required(item.attributes(), HEAD_VERSION));
  }
}
