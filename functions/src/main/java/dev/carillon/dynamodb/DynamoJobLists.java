package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;

import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.job.Job;
import dev.carillon.job.JobLists;
import dev.carillon.job.WaitingPlace;
import dev.carillon.runtime.Fanout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.ScanEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The indexes of jobs by namespace on DynamoDB. */
public final class DynamoJobLists implements JobLists {

  private static final int EXAMINED_AT_ONCE = 1_000;

  private final Batches batches;
  private final DynamoDbTable<Item<Job>> jobs;
  private final KeyIndex unfinished;
  private final KeyIndex links;
  private final WaitingIndex waiting;

  public DynamoJobLists(DynamoDbClient client, Tables tables, Fanout fanout) {
    this(client, tables, fanout, EXAMINED_AT_ONCE);
  }

  /**
   * @param examinedAtOnce how many jobs of all namespaces one query for waiting jobs examines
   */
  public DynamoJobLists(DynamoDbClient client, Tables tables, Fanout fanout, int examinedAtOnce) {
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.jobs = database.table(tables.jobs(), () -> JobItem.SCHEMA);
    this.unfinished = new KeyIndex(database, tables.jobs(), ListedJob.UNFINISHED);
    this.links = new KeyIndex(database, tables.jobs(), ListedJob.LINK);
    this.waiting = new WaitingIndex(database, tables.jobs(), examinedAtOnce);
  }

  @Override
  public Page<JobId> tracked(String namespace, int limit, @Nullable JobId after) {
    List<JobId> found = new ArrayList<>();
    JobId last = after;
    for (int shard = after == null ? 0 : ListedJob.shard(after);
        shard < ListedJob.SHARDS && found.size() < limit;
        shard++) {
      String partition = ListedJob.unfinished(namespace, shard);
      found.addAll(unfinished.query(partition, limit - found.size(), last));
      last = null;
    }
    return page(found, limit);
  }

  /**
   * Reads the jobs to learn their states. The index holds only keys, because each change of a state
   * in the index would cost a write unit.
   */
  @Override
  public Runs countRuns(int most) {
    return Runs.of(Items.readable(batches.getRecent(jobs, unfinished.ofAllPartitions(most))));
  }

  @Override
  public Page<JobId> linked(String namespace, String linkId, int limit, @Nullable JobId after) {
    return page(links.query(ListedJob.link(namespace, linkId), limit, after), limit);
  }

  private static Page<JobId> page(List<JobId> found, int limit) {
    String next = found.size() < limit ? null : found.get(limit - 1).toString();
    return new Page<>(List.copyOf(found), next);
  }

  @Override
  public Page<Waiting> waiting(
      String namespace, int shards, int limit, @Nullable WaitingPlace next) {
    return waiting.page(namespace, shards, limit, next);
  }

  /** A sparse index of jobs. */
  private static final class KeyIndex {

    private final String name;
    private final TableSchema<ListedJob> schema;
    private final DynamoDbTable<Item<ListedJob>> entries;

    KeyIndex(Database database, String table, String name) {
      this.name = name;
      this.schema = ListedJob.schema(name);
      this.entries = database.table(table, () -> schema);
    }

    List<JobId> query(String partition, int limit, @Nullable JobId after) {
      QueryEnhancedRequest.Builder query =
          QueryEnhancedRequest.builder()
              .queryConditional(keyEqualTo(it -> it.partitionValue(partition)))
              .scanIndexForward(false)
              .limit(limit);
      if (after != null) {
        query.exclusiveStartKey(ListedJob.key(schema, partition, after));
      }
      return Queries.readable(entries.index(name).query(query.build()), limit, ListedJob::id);
    }

    /** Reads the keys of jobs by a Scan, because the partitions of all namespaces are not known. */
    List<Key> ofAllPartitions(int most) {
      ScanEnhancedRequest scan = ScanEnhancedRequest.builder().limit(most).build();
      return Queries.first(entries.index(name).scan(scan), most).stream()
          .map(Item::record)
          .map(ListedJob::key)
          .toList();
    }
  }
}
