package dev.carillon.dynamodb;

import dev.carillon.runtime.Fanout;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Timers on DynamoDB, moved by batches of puts and deletes. */
public final class DynamoTimers implements Timers {

  private final DynamoDbClient client;
  private final Batches batches;
  private final String table;
  private final int shards;

  public DynamoTimers(DynamoDbClient client, Tables tables, int shards, Fanout fanout) {
    this.client = client;
    this.batches = new Batches(client, fanout);
    this.table = tables.timers();
    this.shards = shards;
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit) {
    QueryRequest.Builder query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("#shard = :shard AND due < :end")
            .expressionAttributeNames(Map.of("#shard", TimerRow.SHARD))
            .expressionAttributeValues(
                Map.of(":shard", TimerRow.shard(shard), ":end", TimerRow.endOf(until)))
            .limit(limit);
    if (after != null) {
      query.exclusiveStartKey(TimerRow.keyIn(shard, after));
    }
    return Queries.readable(client, query.build(), limit, TimerRow::read);
  }

  @Override
  public List<Timer> missing(List<Timer> timers) {
    Set<Timer.Key> stored =
        Rows.readable(
                batches.getRecent(
                    table, timers.stream().map(timer -> TimerRow.key(timer, shards)).toList()),
                TimerRow::read)
            .stream()
            .map(Timer::key)
            .collect(Collectors.toSet());
    return timers.stream().filter(timer -> !stored.contains(timer.key())).toList();
  }

  @Override
  public void put(List<Timer> timers) {
    batches.put(table, timers.stream().map(t -> TimerRow.of(t, shards)).toList(), TimerRow.KEY);
  }

  @Override
  public void delete(List<Timer> timers) {
    batches.delete(table, timers.stream().map(timer -> TimerRow.place(timer, shards)).toList());
  }
}
