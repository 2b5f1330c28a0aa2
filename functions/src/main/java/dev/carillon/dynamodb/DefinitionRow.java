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

/**
 * A schedule's definition as an item. What a small one tells lies in its head's item, too: whoever
 * reads the head before a launch needs no further read, which costs half as much as the head.
 */
final class DefinitionRow {

  static final String ITEM = "def";

  /** The version of the head that it was stored with: tells whether the two were read together. */
  private static final String HEAD_VERSION = "headVersion";

  /** The item stays below the 4 KB that one read unit pays for, whatever else the head tells. */
  private static final int MOST_BYTES_IN_HEAD = 2_048;

  private static final String DOCUMENT = "document";

  static final TableSchema<ScheduleId> KEY = HeadRow.key(ITEM);

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

  private DefinitionRow() {}

  /**
   * @param headVersion of the head that it is stored with
   */
  static Row<Definition> of(Definition definition, long headVersion) {
    return Row.of(definition, SCHEMA).with(HEAD_VERSION, Forms.NUMBER.transformFrom(headVersion));
  }

  /** With a small definition, which has the same schedule and generation as its head. */
  static Row<Head> addedIfSmall(Row<Head> head, Definition definition) {
    Row<Definition> row = Row.of(definition, SCHEMA);
    return row.text(DOCUMENT).getBytes(UTF_8).length > MOST_BYTES_IN_HEAD
        ? head
        : head.with(row.with(head.item()).item());
  }

  /** Whether it is the item of a definition, or of a head to which one was added. */
  static boolean isIn(Row<?> row) {
    return row.item().containsKey(DOCUMENT);
  }

  /** The version of the head that it was stored with. */
  static long headVersion(Row<?> row) {
    return Forms.NUMBER.transformTo(Schema.required(row.item(), HEAD_VERSION));
  }
}
