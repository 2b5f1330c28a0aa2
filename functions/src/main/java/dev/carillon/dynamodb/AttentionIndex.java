package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.id.Attention;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The sparse index of the jobs that need a look, by shard and instant. */
final class AttentionIndex {

  static final String NAME = "attention";

  private final DynamoDbClient client;
  private final String table;
  private final int shards;

  AttentionIndex(DynamoDbClient client, String table, int shards) {
    this.client = client;
    this.table = table;
    this.shards = shards;
  }

  List<Attention> until(int shard, Instant until, @Nullable Attention after, int limit) {
    AttributeValue last = JobRow.attentionAt(until, Job.LEAST_URGENT);
    QueryRequest.Builder query =
        query(limit)
            .keyConditionExpression("attentionShard = :shard AND attentionAt <= :until")
            .expressionAttributeValues(
                Map.of(":shard", JobRow.attentionShard(shard), ":until", last));
    if (after != null) {
      query.exclusiveStartKey(JobRow.attentionKey(after, shard));
    }
    return Queries.readable(client, query.build(), limit, JobRow::attention);
  }

  Map<JobState, Integer> count(int most) {
    Map<JobState, Integer> counts = new EnumMap<>(JobState.class);
    int rest = most;
    for (int shard = 0; shard < shards && rest > 0; shard++) {
      List<JobState> states = states(shard, rest);
      states.forEach(state -> counts.merge(state, 1, Integer::sum));
      rest -= states.size();
    }
    return counts;
  }

  private List<JobState> states(int shard, int most) {
    QueryRequest query =
        query(most)
            .keyConditionExpression("attentionShard = :shard")
            .expressionAttributeValues(Map.of(":shard", JobRow.attentionShard(shard)))
            .build();
    List<Map<String, AttributeValue>> jobs =
        Queries.first(client, query, most).stream()
            .filter(item -> item.containsKey(JobRow.STATE))
            .toList();
    return Rows.readable(jobs, item -> JobState.valueOf(textOf(item, JobRow.STATE)));
  }

  private QueryRequest.Builder query(int limit) {
    return QueryRequest.builder().tableName(table).indexName(NAME).limit(limit);
  }
}
