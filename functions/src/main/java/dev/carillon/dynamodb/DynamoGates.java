package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.Attention;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** Gates on DynamoDB, and the places of those who wait at them in the same partition. */
public final class DynamoGates implements Gates {

  private final DynamoDbClient client;
  private final Batches batches;
  private final Writes writes;
  private final Tables tables;
  private final int attentionShards;
  private final Duration retention;

  /**
   * @param retention how long a job is kept after its end
   */
  public DynamoGates(
      DynamoDbClient client,
      Tables tables,
      int attentionShards,
      Duration retention,
      Fanout fanout) {
    this.client = client;
    this.batches = new Batches(client, fanout);
    this.writes = new Writes(client);
    this.tables = tables;
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
  }

  @Override
  public Map<GateKey, Gate> find(Collection<GateKey> keys) {
    Map<GateKey, Gate> found = new HashMap<>();
    keys.forEach(key -> found.put(key, Gate.unused(key)));
    batches.get(tables.gates(), keys.stream().map(GateRow::key).toList()).stream()
        .map(GateRow::read)
        .forEach(gate -> found.put(gate.key(), gate));
    return found;
  }

  @Override
  public List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    QueryRequest.Builder query =
        QueryRequest.builder()
            .tableName(tables.gates())
            .consistentRead(true)
            .limit(limit)
            .keyConditionExpression("gate = :gate AND begins_with(#item, :waiter)")
            .expressionAttributeNames(Map.of("#item", GateRow.ITEM))
            .expressionAttributeValues(
                Map.of(":gate", text(gate.toString()), ":waiter", text(GateRow.WAITER_PREFIX)));
    if (after != null) {
      query.exclusiveStartKey(GateRow.waiterKey(after));
    }
    return Queries.readable(client, query.build(), limit, GateRow::readWaiter);
  }

  @Override
  public Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    QueryResponse answer =
        client.query(
            query ->
                query
                    .tableName(tables.gates())
                    .consistentRead(true)
                    .limit(limit)
                    .keyConditionExpression("gate = :list AND #item > :after")
                    .expressionAttributeNames(Map.of("#item", GateRow.ITEM))
                    .expressionAttributeValues(
                        Map.of(
                            ":list", text(GateRow.listOf(namespace)),
                            ":after", text(next == null ? " " : next))));
    List<GateKey> keys =
        answer.items().stream()
            .map(item -> GateKey.ofResource(namespace, textOf(item, GateRow.ITEM)))
            .toList();
    Map<GateKey, Gate> found = find(keys);
    List<Gate> listed =
        keys.stream()
            .map(key -> found.getOrDefault(key, Gate.unused(key)))
            .filter(gate -> gate.gauge() != null)
            .toList();
    String last =
        answer.hasLastEvaluatedKey() ? textOf(answer.lastEvaluatedKey(), GateRow.ITEM) : null;
    return new Page<>(listed, last);
  }

  @Override
  public boolean update(Gate before, Gate after) {
    Map<String, AttributeValue> item = GateRow.of(after.stored(), attentionShards);
    if ((before.gauge() == null) == (after.gauge() == null)) {
      return writes.put(tables.gates(), item, unchanged(before)).isEmpty();
    }
    Map<String, AttributeValue> listed = GateRow.listedKey(after.key());
    TransactWriteItem listing = after.gauge() == null ? delete(listed) : put(listed);
    return writes.transact(
        writes.guarded(tables.gates(), item, unchanged(before)), List.of(listing));
  }

  private static Condition unchanged(Gate before) {
    return before.version() == 0
        ? Condition.absent(GateRow.GATE)
        : Condition.equal(GateRow.VERSION, number(before.version()));
  }

  @Override
  public Outcome commit(Step step) {
    List<Guarded> guards = new ArrayList<>();
    Job after = step.after();
    if (after != null) {
      Map<String, AttributeValue> item = JobRow.of(after, attentionShards, retention);
      guards.add(writes.guarded(tables.jobs(), item, DynamoJobs.unchanged(step.before())));
    }
    for (Change change : step.gates()) {
      Map<String, AttributeValue> item = GateRow.of(change.after().stored(), attentionShards);
      guards.add(writes.guarded(tables.gates(), item, unchanged(change.before())));
    }
    List<TransactWriteItem> others = new ArrayList<>();
    step.joining().forEach(waiter -> others.add(put(GateRow.waiterKey(waiter))));
    step.leaving().forEach(waiter -> others.add(delete(GateRow.waiterKey(waiter))));
    Map<Integer, Map<String, AttributeValue>> lost = writes.transact(guards, others);
    Optional<Map<String, AttributeValue>> otherJob =
        after == null ? Optional.empty() : Optional.ofNullable(lost.get(0));
    if (otherJob.isPresent()) {
      return new JobLost(JobRow.read(otherJob.get()));
    }
    return lost.isEmpty() ? new Done() : new GateLost();
  }

  private TransactWriteItem put(Map<String, AttributeValue> item) {
    return TransactWriteItem.builder().put(put -> put.tableName(tables.gates()).item(item)).build();
  }

  private TransactWriteItem delete(Map<String, AttributeValue> key) {
    return TransactWriteItem.builder()
        .delete(gone -> gone.tableName(tables.gates()).key(key))
        .build();
  }

  @Override
  public List<Attention> needingAttention(
      int shard, Instant until, @Nullable Attention after, int limit) {
    QueryRequest.Builder query =
        QueryRequest.builder()
            .tableName(tables.gates())
            .indexName(AttentionIndex.NAME)
            .limit(limit)
            .keyConditionExpression("attentionShard = :shard AND attentionAt <= :until")
            .expressionAttributeValues(
                Map.of(
                    ":shard", JobRow.attentionShard(shard),
                    ":until", JobRow.attentionAt(until, 0)));
    if (after != null) {
      query.exclusiveStartKey(GateRow.attentionKey(after, shard));
    }
    return Queries.readable(client, query.build(), limit, GateRow::attention);
  }
}
