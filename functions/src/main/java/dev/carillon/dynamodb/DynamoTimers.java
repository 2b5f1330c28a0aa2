package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortLessThan;

import dev.carillon.runtime.Fanout;
import dev.carillon.timer.Timer;
import dev.carillon.timer.Timers;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Timers on DynamoDB. Batches of puts and deletes move them. */
public final class DynamoTimers implements Timers {

  private final Batches batches;
  private final DynamoDbTable<Item<Timer>> stored;
  private final int shards;

  public DynamoTimers(DynamoDbClient client, Tables tables, int shards, Fanout fanout) {
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.stored = database.table(tables.timers(), () -> TimerItem.SCHEMA);
    this.shards = shards;
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public List<Timer> due(int shard, Instant until, @Nullable Timer after, int limit) {
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortLessThan(
                    it ->
                        it.partitionValue(Integer.toString(shard))
                            .sortValue(TimerItem.endOf(until))))
            .consistentRead(true)
            .limit(limit);
    if (after != null) {
      query.exclusiveStartKey(
          Schema.key(TimerItem.SCHEMA, after.in(shard)).primaryKeyMap(TimerItem.SCHEMA));
    }
    return Queries.readable(stored.query(query.build()), limit);
  }

  @Override
  public boolean isEmpty(int shard) {
    return Queries.isEmpty(
        stored.query(
            query ->
                query
                    .queryConditional(keyEqualTo(it -> it.partitionValue(Integer.toString(shard))))
                    .consistentRead(true)
                    .limit(1)));
  }

  @Override
  public List<Timer> missing(List<Timer> timers) {
    Set<Timer.Key> found =
        Items.readable(
                batches.getRecent(
                    stored, timers.stream().map(it -> TimerItem.key(it, shards)).toList()))
            .stream()
            .map(Timer::key)
            .collect(Collectors.toSet());
    return timers.stream().filter(timer -> !found.contains(timer.key())).toList();
  }

  @Override
  public void put(List<Timer> timers) {
    batches.put(stored, timers.stream().map(timer -> TimerItem.of(timer, shards)).toList());
  }

  @Override
  public void delete(List<Timer> timers) {
    batches.delete(stored, timers.stream().map(timer -> TimerItem.place(timer, shards)).toList());
  }
}
