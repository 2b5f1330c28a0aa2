package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.TEXT;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.primarySortKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondaryPartitionKey;
import static software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags.secondarySortKey;

import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.Job;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The entry of a job in a sparse index that holds keys only. The partition key of the index is an
 * attribute with the index's name. The sort key of the index is the job's own sort key, so an entry
 * never moves.
 */
record ListedJob(String schedule, String item, String partition) {

  /** The index of tracked jobs that have not ended: {@code ns|shard}. */
  static final String UNFINISHED = "unfinished";

  /** The index of jobs with a link: {@code ns|linkId}. */
  static final String LINK = "link";

  /** One partition of an index takes 1,000 write units a second. */
  static final int SHARDS = 8;

  static TableSchema<ListedJob> schema(String index) {
    return Schema.of(
            ListedJob.class,
            ListedJobBuilder.class,
            ListedJobBuilder::builder,
            ListedJobBuilder::build)
        .with(
            JobItem.SCHEDULE,
            TEXT,
            ListedJob::schedule,
            ListedJobBuilder::schedule,
            primaryPartitionKey())
        .with(
            JobItem.ITEM,
            TEXT,
            ListedJob::item,
            ListedJobBuilder::item,
            primarySortKey(),
            secondarySortKey(index))
        .with(
            index,
            TEXT,
            ListedJob::partition,
            ListedJobBuilder::partition,
            secondaryPartitionKey(index))
        .build();
  }

  /** The entry's key in the index and in the table. */
  static Map<String, AttributeValue> key(
      TableSchema<ListedJob> schema, String partition, JobId id) {
    String item = JobItem.PREFIX + id.sortKey();
    return schema.itemToMap(new ListedJob(id.schedule().toString(), item, partition), true);
  }

  static String unfinished(String namespace, int shard) {
    return namespace + "|" + shard;
  }

  static int shard(JobId id) {
    return Math.floorMod(id.toString().hashCode(), SHARDS);
  }

  static @Nullable String unfinishedOf(Job job) {
    return job.isUnfinishedRun()
        ? unfinished(job.id().schedule().namespace(), shard(job.id()))
        : null;
  }

  static String link(String namespace, String linkId) {
    return namespace + "|" + linkId;
  }

  static @Nullable String linkOf(Job job) {
    return job.linkId() == null ? null : link(job.id().schedule().namespace(), job.linkId());
  }

  static String linkId(String link) {
    return link.substring(link.indexOf('|') + 1);
  }

  /** The key of the job in its table. */
  Key key() {
    return Key.builder().partitionValue(schedule).sortValue(item).build();
  }

  JobId id() {
    return JobItem.id(ScheduleId.parse(schedule), item.substring(JobItem.PREFIX.length()));
  }
}
