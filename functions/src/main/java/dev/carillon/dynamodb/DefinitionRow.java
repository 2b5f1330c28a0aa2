package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Json;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.ScheduleId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/** A schedule's definition as an item. */
final class DefinitionRow {

  static final String ITEM = "def";

  /** The version of the head that it was stored with: tells whether the two were read together. */
  static final String HEAD_VERSION = "headVersion";

  static final TableSchema<Definition> SCHEMA = schema();

  private @Nullable ScheduleId id;
  private long generation;
  private @Nullable ObjectNode document;
  private @Nullable Instant generationSince;
  private @Nullable Instant createdAt;
  private @Nullable String createdBy;
  private @Nullable Instant updatedAt;

  private Definition build() {
    return new Definition(
        requireNonNull(id),
        generation,
        requireNonNull(document),
        requireNonNull(generationSince),
        requireNonNull(createdAt),
        requireNonNull(createdBy),
        requireNonNull(updatedAt));
  }

  private static TableSchema<Definition> schema() {
    StaticImmutableTableSchema.Builder<Definition, DefinitionRow> schema =
        StaticImmutableTableSchema.builder(Definition.class, DefinitionRow.class)
            .newItemBuilder(DefinitionRow::new, DefinitionRow::build);
    schema.addAttribute(
        String.class,
        a ->
            a.name("schedule")
                .getter(it -> it.id().toString())
                .setter((row, it) -> row.id = ScheduleId.parse(it))
                .tags(primaryPartitionKey()));
    schema.addAttribute(
        String.class,
        a -> a.name("item").getter(it -> ITEM).setter((row, it) -> {}).tags(primarySortKey()));
    schema.addAttribute(
        Long.class,
        a ->
            a.name("generation")
                .getter(Definition::generation)
                .setter((row, it) -> row.generation = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("document")
                .getter(it -> Json.write(it.document()))
                .setter((row, it) -> row.document = Json.readObject(it)));
    schema.addAttribute(
        Instant.class,
        a ->
            a.name("generationSince")
                .getter(Definition::generationSince)
                .setter((row, it) -> row.generationSince = it));
    schema.addAttribute(
        Instant.class,
        a ->
            a.name("createdAt")
                .getter(Definition::createdAt)
                .setter((row, it) -> row.createdAt = it));
    schema.addAttribute(
        String.class,
        a ->
            a.name("createdBy")
                .getter(Definition::createdBy)
                .setter((row, it) -> row.createdBy = it));
    schema.addAttribute(
        Instant.class,
        a ->
            a.name("updatedAt")
                .getter(Definition::updatedAt)
                .setter((row, it) -> row.updatedAt = it));
    return schema.build();
  }
}
