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
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.Subject;
import dev.carillon.wakeup.Wakeup;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A wake-up as an entry of the sparse index, with the attributes that the index projects.
 *
 * @param partition the partition key of the item; {@code item} is its sort key
 * @param state the state of a job or collecting job; the index counts jobs by it
 */
record AttentionItem(
    String partition, String item, String shard, Urgent urgent, @Nullable String state) {

  static final String INDEX = "attention";
  static final String AT = "attentionAt";
  static final String SHARD = "attentionShard";

  static final TableSchema<AttentionItem> OF_JOBS = schema(JobItem.SCHEDULE);
  static final TableSchema<AttentionItem> OF_GATES = schema(GateItem.GATE);

  private static TableSchema<AttentionItem> schema(String partition) {
    return Schema.of(AttentionItem.class, Parts.class, Parts::new, Parts::build)
        .with(partition, TEXT, AttentionItem::partition, Parts::partition, primaryPartitionKey())
        .with(JobItem.ITEM, TEXT, AttentionItem::item, Parts::item, primarySortKey())
        .with(SHARD, TEXT, AttentionItem::shard, Parts::shard, secondaryPartitionKey(INDEX))
        .with(AT, URGENT, AttentionItem::urgent, Parts::urgent, secondarySortKey(INDEX))
        .optional(JobItem.STATE, TEXT, AttentionItem::state, Parts::state)
        .build();
  }

  private static final class Parts extends AttentionItemBuilder {}

  /** Returns the item with its index shard if the index has an entry for it. */
  static <T> Item<T> sharded(Item<T> item, Object id, int shards) {
    return item.attributes().containsKey(AT) ? item.with(SHARD, shard(id, shards)) : item;
  }

  /** The shard for an entry that is stored now. */
  static AttributeValue shard(Object id, int shards) {
    return AttributeValue.fromS(Integer.toString(Math.floorMod(id.toString().hashCode(), shards)));
  }

  /** The entry that {@link #wakeup} was read from. */
  static AttentionItem of(Wakeup wakeup, int shard) {
    Key key = key(wakeup.subject());
    String item = key.sortKeyValue().orElseThrow().s();
    Urgent urgent = new Urgent(wakeup.at(), wakeup.priority());
    return new AttentionItem(
        key.partitionKeyValue().s(), item, Integer.toString(shard), urgent, null);
  }

  static Key key(Subject subject) {
    if (subject instanceof GateKey gate) {
      return Schema.key(GateItem.KEY, gate);
    }
    if (subject instanceof PoolId pool) {
      return Schema.key(PoolActivities.KEY, pool);
    }
    if (subject instanceof BackfillId backfill) {
      return Schema.key(BackfillItem.KEY, backfill);
    }
    return subject instanceof CollectingJobId collecting
        ? Schema.key(CollectingJobItem.KEY, collecting.schedule())
        : Schema.key(JobItem.KEY, (JobId) subject);
  }

  Wakeup wakeup() {
    return new Wakeup(subject(), urgent.at(), urgent.priority());
  }

  private Subject subject() {
    if (item.equals(GateItem.OWN)) {
      return GateKey.parse(partition);
    }
    if (item.equals(PoolActivities.ITEM)) {
      return PoolId.parse(partition);
    }
    ScheduleId schedule = ScheduleId.parse(partition);
    if (item.startsWith(BackfillItem.PREFIX)) {
      return new BackfillId(schedule, item.substring(BackfillItem.PREFIX.length()));
    }
    return item.equals(CollectingJobItem.ITEM)
        ? new CollectingJobId(schedule)
        : JobItem.id(schedule, item.substring(JobItem.PREFIX.length()));
  }
}
