package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.Page;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.runtime.Fanout;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Gates on DynamoDB, and the places of those who wait at them in the same partition. */
public final class DynamoGates implements Gates {

  private final Batches batches;
  private final Writes writes;
  private final DynamoDbTable<Row<Gate>> gates;
  private final DynamoDbTable<Row<Waiter>> waiters;
  private final DynamoDbTable<Row<GateKey>> listed;
  private final DynamoDbTable<Row<Job>> jobs;
  private final AttentionIndex attention;
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
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.writes = database.writes();
    this.gates = database.table(tables.gates(), () -> GateRow.SCHEMA);
    this.waiters = database.table(tables.gates(), () -> GateRow.WAITER);
    this.listed = database.table(tables.gates(), () -> GateRow.LISTED);
    this.jobs = database.table(tables.jobs(), () -> JobRow.SCHEMA);
    this.attention = new AttentionIndex(database, tables.gates(), () -> AttentionRow.OF_GATES);
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
    batches.get(gates, keys.stream().map(key -> Schema.key(GateRow.KEY, key)).toList()).stream()
        .map(Row::record)
        .forEach(gate -> found.put(gate.key(), gate));
    return found;
  }

  @Override
  public List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortBeginsWith(
                    it -> it.partitionValue(gate.toString()).sortValue(GateRow.WAITER_PREFIX)))
            .consistentRead(true)
            .limit(limit);
    if (after != null) {
      query.exclusiveStartKey(GateRow.WAITER.itemToMap(after, true));
    }
    return Queries.readable(waiters.query(query.build()), limit);
  }

  @Override
  public Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    String after = next == null ? " " : next;
    QueryConditional ofNamespace =
        sortGreaterThan(it -> it.partitionValue(GateRow.listOf(namespace)).sortValue(after));
    Part<GateKey> page =
        Queries.firstPage(
            listed.query(it -> it.queryConditional(ofNamespace).consistentRead(true).limit(limit)));
    List<GateKey> keys = page.records();
    Map<GateKey, Gate> found = find(keys);
    List<Gate> shown =
        keys.stream()
            .map(key -> found.getOrDefault(key, Gate.unused(key)))
            .filter(gate -> gate.gauge() != null)
            .toList();
    return new Page<>(shown, page.next(GateRow.LISTED, GateKey::name));
  }

  @Override
  public boolean update(Gate before, Gate after) {
    if ((before.gauge() == null) == (after.gauge() == null)) {
      return writes.put(gates, row(after), unchanged(before)).isEmpty();
    }
    Write listing =
        after.gauge() == null
            ? Writes.deleting(listed, Schema.key(GateRow.LISTED, after.key()))
            : Writes.putting(listed, Row.of(after.key(), GateRow.LISTED));
    return writes.transact(writes.guarded(gates, row(after), unchanged(before)), List.of(listing));
  }

  private Row<Gate> row(Gate gate) {
    return GateRow.of(gate.stored(), attentionShards);
  }

  private static Expression unchanged(Gate before) {
    return before.version() == 0
        ? Writes.absent(GateRow.GATE)
        : Writes.unchanged(GateRow.VERSION, before.version());
  }

  @Override
  public Outcome commit(Step step) {
    List<Guarded> guards = new ArrayList<>();
    Job after = step.after();
    if (after != null) {
      Row<Job> row = JobRow.of(after, attentionShards, retention);
      guards.add(writes.guarded(jobs, row, DynamoJobs.unchanged(step.before())));
    }
    for (Change change : step.gates()) {
      guards.add(writes.guarded(gates, row(change.after()), unchanged(change.before())));
    }
    List<Write> others = new ArrayList<>();
    step.joining().forEach(it -> others.add(Writes.putting(waiters, Row.of(it, GateRow.WAITER))));
    step.leaving()
        .forEach(it -> others.add(Writes.deleting(waiters, Schema.key(GateRow.WAITER, it))));
    Map<Integer, Map<String, AttributeValue>> lost = writes.transact(guards, others);
    Optional<Map<String, AttributeValue>> otherJob =
        after == null ? Optional.empty() : Optional.ofNullable(lost.get(0));
    if (otherJob.isPresent()) {
      return new JobLost(JobRow.SCHEMA.mapToItem(otherJob.get()));
    }
    return lost.isEmpty() ? new Done() : new GateLost();
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return attention.until(shard, until, after, limit);
  }
}
