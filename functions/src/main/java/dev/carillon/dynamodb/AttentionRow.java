package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.TEXT;
import static dev.carillon.dynamodb.Forms.URGENT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A wake-up as an entry of the sparse index: what that shows of the item.
 *
 * @param partition of the item's key, as {@code item}
 * @param state of a job, also of one that waits for events; by it the index counts jobs
 */
record AttentionRow(
    String partition, String item, String shard, Urgent urgent, @Nullable String state) {

  static final String INDEX = "attention";
  static final String AT = "attentionAt";
  private static final String SHARD = "attentionShard";

  static final TableSchema<AttentionRow> OF_JOBS = schema(JobRow.SCHEDULE);
  static final TableSchema<AttentionRow> OF_GATES = schema(GateRow.GATE);

  private static TableSchema<AttentionRow> schema(String partition) {
    return Schema.of(AttentionRow.class, Parts.class, Parts::new, Parts::build)
        .with(partition, TEXT, AttentionRow::partition, Parts::partition, primaryPartitionKey())
        .with(JobRow.ITEM, TEXT, AttentionRow::item, Parts::item, primarySortKey())
        .with(SHARD, TEXT, AttentionRow::shard, Parts::shard, secondaryPartitionKey(INDEX))
        .with(AT, URGENT, AttentionRow::urgent, Parts::urgent, secondarySortKey(INDEX))
        .optional(JobRow.STATE, TEXT, AttentionRow::state, Parts::state)
        .build();
  }

  private static final class Parts extends AttentionRowBuilder {}

  /** With the shard of the index, if the item has a place there. */
  static <T> Row<T> sharded(Row<T> row, Object id, int shards) {
    int shard = Math.floorMod(id.toString().hashCode(), shards);
    return row.item().containsKey(AT)
        ? row.with(SHARD, AttributeValue.fromS(Integer.toString(shard)))
        : row;
  }

  /** What {@link #wakeup} was read from. */
  static AttentionRow of(Wakeup wakeup, int shard) {
    Key key = key(wakeup.subject());
    String item = key.sortKeyValue().orElseThrow().s();
    Urgent urgent = new Urgent(wakeup.at(), wakeup.priority());
    return new AttentionRow(
        key.partitionKeyValue().s(), item, Integer.toString(shard), urgent, null);
  }

  private static Key key(Subject subject) {
    if (subject instanceof GateKey gate) {
      return Schema.key(GateRow.KEY, gate);
    }
    if (subject instanceof BackfillId backfill) {
      return Schema.key(BackfillRow.KEY, backfill);
    }
    return subject instanceof CollectingJobId collecting
        ? Schema.key(CollectingJobRow.KEY, collecting.schedule())
        : Schema.key(JobRow.KEY, (JobId) subject);
  }

  Wakeup wakeup() {
    return new Wakeup(subject(), urgent.at(), urgent.priority());
  }

  private Subject subject() {
    if (item.equals(GateRow.OWN)) {
      return GateKey.parse(partition);
    }
    ScheduleId schedule = ScheduleId.parse(partition);
    if (item.startsWith(BackfillRow.PREFIX)) {
      return new BackfillId(schedule, item.substring(BackfillRow.PREFIX.length()));
    }
    return item.equals(CollectingJobRow.ITEM)
        ? new CollectingJobId(schedule)
        : JobRow.id(schedule, item.substring(JobRow.PREFIX.length()));
  }
}
