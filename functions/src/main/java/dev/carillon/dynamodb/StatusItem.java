package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.TEXT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;

import dev.carillon.master.StatusStore.Shards;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * An item of the master's status. Each changes independently.
 *
 * @param id the kind of item; it determines which other members are set
 */
record StatusItem(
    String id,
    @Nullable Instant lastProcessedTime,
    @Nullable Instant auditedAt,
    @Nullable String auditCursor,
    @Nullable Integer timerShards,
    @Nullable Integer attentionShards) {

  static final String PROGRESS = "progress";
  static final String AUDIT = "audit";
  static final String SHARDS = "shards";

  static final TableSchema<StatusItem> SCHEMA =
      Schema.of(
              StatusItem.class,
              StatusItemBuilder.class,
              StatusItemBuilder::builder,
              StatusItemBuilder::build)
          .with("id", TEXT, StatusItem::id, StatusItemBuilder::id, primaryPartitionKey())
          .optional(
              "lastProcessedTime",
              MILLIS,
              StatusItem::lastProcessedTime,
              StatusItemBuilder::lastProcessedTime)
          .optional("auditedAt", MILLIS, StatusItem::auditedAt, StatusItemBuilder::auditedAt)
          .optional("auditCursor", TEXT, StatusItem::auditCursor, StatusItemBuilder::auditCursor)
          .optional("timerShards", COUNT, StatusItem::timerShards, StatusItemBuilder::timerShards)
          .optional(
              "attentionShards",
              COUNT,
              StatusItem::attentionShards,
              StatusItemBuilder::attentionShards)
          .build();

  static StatusItem progress(Instant lastProcessed) {
    return new StatusItem(PROGRESS, lastProcessed, null, null, null, null);
  }

  static StatusItem audit(@Nullable Instant auditedAt, @Nullable String auditCursor) {
    return new StatusItem(AUDIT, null, auditedAt, auditCursor, null, null);
  }

  static StatusItem of(Shards shards) {
    return new StatusItem(SHARDS, null, null, null, shards.timers(), shards.attention());
  }

  Shards shards() {
    return new Shards(
        Objects.requireNonNullElse(timerShards, 0), Objects.requireNonNullElse(attentionShards, 0));
  }
}
