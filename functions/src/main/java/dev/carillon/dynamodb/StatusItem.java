package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;

import dev.carillon.master.AuditProgress;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.StatusStore.Shards;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
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
    @Nullable List<Part> auditParts,
    @Nullable Long audited,
    @Nullable Integer timerShards,
    @Nullable Integer attentionShards) {

  static final String PROGRESS = "progress";
  static final String AUDIT = "audit";
  static final String SHARDS = "shards";

  private static final String DONE = "-";
  private static final String NEW = "+";

  /** A part is the name of the schedule at its cursor, or a sign that no name has. */
  private static final AttributeConverter<List<Part>> PARTS =
      Forms.text(
          EnhancedType.listOf(Part.class),
          parts -> parts.stream().map(StatusItem::text).collect(Collectors.joining(",")),
          text -> Arrays.stream(text.split(",", -1)).map(StatusItem::part).toList());

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
          .optional("auditParts", PARTS, StatusItem::auditParts, StatusItemBuilder::auditParts)
          .optional("audited", NUMBER, StatusItem::audited, StatusItemBuilder::audited)
          .optional("timerShards", COUNT, StatusItem::timerShards, StatusItemBuilder::timerShards)
          .optional(
              "attentionShards",
              COUNT,
              StatusItem::attentionShards,
              StatusItemBuilder::attentionShards)
          .build();

  static StatusItem progress(Instant lastProcessed) {
    return new StatusItem(PROGRESS, lastProcessed, null, null, null, null, null);
  }

  static StatusItem of(@Nullable AuditProgress audit) {
    return audit == null
        ? new StatusItem(AUDIT, null, null, null, null, null, null)
        : new StatusItem(AUDIT, null, audit.began(), audit.parts(), audit.found(), null, null);
  }

  /** Null if there was none, or if another version stored it. */
  @Nullable AuditProgress audit() {
    return auditedAt == null || auditParts == null
        ? null
        : new AuditProgress(auditedAt, auditParts, Objects.requireNonNullElse(audited, 0L));
  }

  static StatusItem of(Shards shards) {
    return new StatusItem(SHARDS, null, null, null, null, shards.timers(), shards.attention());
  }

  Shards shards() {
    return new Shards(
        Objects.requireNonNullElse(timerShards, 0), Objects.requireNonNullElse(attentionShards, 0));
  }

  private static String text(Part part) {
    String cursor = part.cursor();
    return part.isDone() ? DONE : cursor == null ? NEW : cursor;
  }

  private static Part part(String text) {
    return switch (text) {
      case DONE -> Part.DONE;
      case NEW -> Part.NEW;
      default -> new Part(text, false);
    };
  }
}
