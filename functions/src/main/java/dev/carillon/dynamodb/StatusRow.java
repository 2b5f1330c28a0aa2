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
 * An item of the master's status, each of which changes alone.
 *
 * @param id tells which; the others are of one of them
 */
record StatusRow(
    String id,
    @Nullable Instant lastProcessedTime,
    @Nullable Instant auditedAt,
    @Nullable String auditCursor,
    @Nullable Integer timerShards,
    @Nullable Integer attentionShards) {

  static final String PROGRESS = "progress";
  static final String AUDIT = "audit";
  static final String SHARDS = "shards";

  static final TableSchema<StatusRow> SCHEMA =
      Schema.of(
              StatusRow.class,
              StatusRowBuilder.class,
              StatusRowBuilder::builder,
              StatusRowBuilder::build)
          .with("id", TEXT, StatusRow::id, StatusRowBuilder::id, primaryPartitionKey())
          .optional(
              "lastProcessedTime",
              MILLIS,
              StatusRow::lastProcessedTime,
              StatusRowBuilder::lastProcessedTime)
          .optional("auditedAt", MILLIS, StatusRow::auditedAt, StatusRowBuilder::auditedAt)
          .optional("auditCursor", TEXT, StatusRow::auditCursor, StatusRowBuilder::auditCursor)
          .optional("timerShards", COUNT, StatusRow::timerShards, StatusRowBuilder::timerShards)
          .optional(
              "attentionShards",
              COUNT,
              StatusRow::attentionShards,
              StatusRowBuilder::attentionShards)
          .build();

  static StatusRow progress(Instant lastProcessed) {
    return new StatusRow(PROGRESS, lastProcessed, null, null, null, null);
  }

  static StatusRow audit(@Nullable Instant auditedAt, @Nullable String auditCursor) {
    return new StatusRow(AUDIT, null, auditedAt, auditCursor, null, null);
  }

  static StatusRow of(Shards shards) {
    return new StatusRow(SHARDS, null, null, null, shards.timers(), shards.attention());
  }

  Shards shards() {
    return new Shards(
        Objects.requireNonNullElse(timerShards, 0), Objects.requireNonNullElse(attentionShards, 0));
  }
}
