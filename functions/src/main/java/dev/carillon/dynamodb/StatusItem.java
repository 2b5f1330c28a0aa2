package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.COUNT;
import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.TEXT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;

import dev.carillon.master.AuditProgress;
import dev.carillon.master.AuditProgress.Part;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.ShardPlan.Shards;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
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
    @Nullable Integer attentionShards,
    @Nullable Integer configuredTimerShards,
    @Nullable Integer configuredAttentionShards,
    @Nullable Instant configuredSince) {

  static final String PROGRESS = "progress";
  static final String AUDIT = "audit";
  static final String SHARDS = "shards";

  private static final String DONE = "-";
  private static final String NEW = "+";

  /**
   * The parts of an audit. Each part is stored as the name of the schedule at its cursor, or as a
   * sign that cannot be the name of a schedule.
   */
  private static final AttributeConverter<List<Part>> PARTS =
      Forms.joined(",", Part.class, StatusItem::text, StatusItem::part);

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
          .optional(
              "configuredTimerShards",
              COUNT,
              StatusItem::configuredTimerShards,
              StatusItemBuilder::configuredTimerShards)
          .optional(
              "configuredAttentionShards",
              COUNT,
              StatusItem::configuredAttentionShards,
              StatusItemBuilder::configuredAttentionShards)
          .optional(
              "configuredSince",
              MILLIS,
              StatusItem::configuredSince,
              StatusItemBuilder::configuredSince)
          .build();

  static StatusItem progress(Instant lastProcessed) {
    return StatusItemBuilder.builder().id(PROGRESS).lastProcessedTime(lastProcessed).build();
  }

  static StatusItem of(@Nullable AuditProgress audit) {
    StatusItemBuilder item = StatusItemBuilder.builder().id(AUDIT);
    return audit == null
        ? item.build()
        : item.auditedAt(audit.began()).auditParts(audit.parts()).audited(audit.found()).build();
  }

  /** The progress of the audit; null if there was none, or if another version stored it. */
  @Nullable AuditProgress audit() {
    return auditedAt == null || auditParts == null
        ? null
        : new AuditProgress(auditedAt, auditParts, Objects.requireNonNullElse(audited, 0L));
  }

  static StatusItem of(ShardPlan plan) {
    return StatusItemBuilder.builder()
        .id(SHARDS)
        .timerShards(plan.read().timers())
        .attentionShards(plan.read().attention())
        .configuredTimerShards(plan.configured().timers())
        .configuredAttentionShards(plan.configured().attention())
        .configuredSince(plan.since().equals(Instant.EPOCH) ? null : plan.since())
        .build();
  }

  /**
   * The stored shards. If another version stored no number, the number counts as 0, which differs
   * from every configuration.
   */
  ShardPlan shards() {
    return new ShardPlan(
        new Shards(count(timerShards), count(attentionShards)),
        new Shards(count(configuredTimerShards), count(configuredAttentionShards)),
        Objects.requireNonNullElse(configuredSince, Instant.EPOCH));
  }

  private static int count(@Nullable Integer shards) {
    return Objects.requireNonNullElse(shards, 0);
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
