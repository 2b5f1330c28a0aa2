package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBeginsWith;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.dynamodb.Writes.Guarded;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.gate.Gate;
import dev.carillon.gate.Slot;
import dev.carillon.gate.Waiter;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Page;
import dev.carillon.id.UnreadableItems;
import dev.carillon.job.Gates;
import dev.carillon.job.Job;
import dev.carillon.runtime.Fanout;
import dev.carillon.wakeup.Wakeup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Gates on DynamoDB, with their waiting jobs in the same partition. */
public final class DynamoGates implements Gates {

  private final Batches batches;
  private final Writes writes;
  private final Repairs repairs;
  private final DynamoDbTable<Item<Gate>> gates;
  private final DynamoDbTable<Item<Waiter>> waiters;
  private final DynamoDbTable<Item<GateKey>> listed;
  private final SlotItems slots;
  private final DynamoDbTable<Item<Job>> jobs;
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
    this.repairs = new Repairs(batches);
    this.gates = database.table(tables.gates(), () -> GateItem.SCHEMA);
    this.waiters = database.table(tables.gates(), () -> GateItem.WAITER);
    this.listed = database.table(tables.gates(), () -> GateItem.LISTED);
    this.slots = new SlotItems(database, batches, writes, tables.gates());
    this.jobs = database.table(tables.jobs(), () -> JobItem.SCHEMA);
    this.attention = new AttentionIndex(database, tables.gates(), () -> AttentionItem.OF_GATES);
    this.attentionShards = attentionShards;
    this.retention = retention;
  }

  @Override
  public int attentionShards() {
    return attentionShards;
  }

  @Override
  public boolean isAttentionEmpty(int shard) {
    return attention.isEmpty(shard);
  }

  @Override
  public Map<GateKey, Gate> find(Collection<GateKey> keys) {
    Map<GateKey, Gate> found = new HashMap<>();
    keys.forEach(key -> found.put(key, Gate.unused(key)));
    found.putAll(
        Items.byKey(
            batches.get(gates, keys.stream().map(key -> Schema.key(GateItem.KEY, key)).toList()),
            GateItem.KEY,
            Gate::key));
    return found;
  }

  @Override
  public Set<JobId> holders(GateKey gate, Collection<JobId> jobIds) {
    return slots.holders(gate, jobIds);
  }

  @Override
  public List<Slot> slotsApart(GateKey gate) {
    return slots.all(gate);
  }

  @Override
  public List<Waiter> waiters(GateKey gate, @Nullable Waiter after, int limit) {
    QueryEnhancedRequest.Builder query =
        QueryEnhancedRequest.builder()
            .queryConditional(
                sortBeginsWith(
                    it -> it.partitionValue(gate.toString()).sortValue(GateItem.WAITER_PREFIX)))
            .consistentRead(true)
            .limit(limit);
    if (after != null) {
      query.exclusiveStartKey(GateItem.WAITER.itemToMap(after, true));
    }
    return Queries.readable(waiters.query(query.build()), limit);
  }

  @Override
  public Page<Gate> resources(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    String after = next == null ? " " : next;
    QueryConditional ofNamespace =
        sortGreaterThan(it -> it.partitionValue(GateItem.listOf(namespace)).sortValue(after));
    Part<GateKey> page =
        Queries.firstPage(
            listed.query(it -> it.queryConditional(ofNamespace).consistentRead(true).limit(limit)));
    List<GateKey> keys = page.readable();
    Map<GateKey, Gate> found = UnreadableItems.readable(keys, new HashSet<>(), this::find);
    List<Gate> shown =
        keys.stream()
            .map(key -> found.getOrDefault(key, Gate.unused(key)))
            .filter(gate -> gate.gauge() != null)
            .toList();
    return new Page<>(shown, page.next(GateItem.LISTED, GateKey::name));
  }

  @Override
  public boolean update(Gate before, Gate after) {
    boolean isListedAsBefore = (before.gauge() == null) == (after.gauge() == null);
    if (isListedAsBefore && !after.slots().changesItems()) {
      return writes.put(gates, item(after), unchanged(before)).isEmpty();
    }
    List<Guarded> guards = new ArrayList<>();
    guards.add(writes.guarded(gates, item(after), unchanged(before)));
    guards.addAll(slots.changes(after));
    return writes
        .transact(guards, isListedAsBefore ? List.of() : List.of(listing(after)))
        .isEmpty();
  }

  private Write listing(Gate after) {
    return after.gauge() == null
        ? Writes.deleting(listed, Schema.key(GateItem.LISTED, after.key()))
        : Writes.putting(listed, Item.of(after.key(), GateItem.LISTED));
  }

  @Override
  public boolean overwrite(Gate after) {
    return repairs
        .unreadable(gates, Schema.key(GateItem.KEY, after.key()))
        .filter(
            stored ->
                writes.transact(
                    writes.guarded(
                        gates,
                        item(after.demanding(GateItem.demandsOf(stored.attributes()))),
                        Repairs.unchanged(stored)),
                    List.of(listing(after))))
        .isPresent();
  }

  private Item<Gate> item(Gate gate) {
    return GateItem.of(gate.stored(), attentionShards);
  }

  private static Expression unchanged(Gate before) {
    return before.version() == 0
        ? Writes.absent(GateItem.GATE)
        : Writes.unchanged(GateItem.VERSION, before.version());
  }

  @Override
  public Outcome commit(Step step) {
    List<Guarded> guards = new ArrayList<>();
    for (JobChange change : step.jobs()) {
      Item<Job> item = JobItem.of(change.after(), attentionShards, retention);
      guards.add(writes.guarded(jobs, item, DynamoJobs.unchanged(change.before())));
    }
    for (Change change : step.gates()) {
      guards.add(writes.guarded(gates, item(change.after()), unchanged(change.before())));
    }
    step.gates().forEach(change -> guards.addAll(slots.changes(change.after())));
    List<Write> others = new ArrayList<>();
    step.joining().forEach(it -> others.add(Writes.putting(waiters, Item.of(it, GateItem.WAITER))));
    step.leaving()
        .forEach(it -> others.add(Writes.deleting(waiters, Schema.key(GateItem.WAITER, it))));
    Map<Integer, Map<String, AttributeValue>> lost = writes.transact(guards, others);
    if (lost.isEmpty()) {
      return new Done();
    }
    return lost.entrySet().stream()
        .filter(other -> other.getKey() < step.jobs().size() && !other.getValue().isEmpty())
        .findFirst()
        .<Outcome>map(other -> new JobLost(present(other.getValue())))
        .orElseGet(GateLost::new);
  }

  private static Job present(Map<String, AttributeValue> attributes) {
    List<Item<Job>> item = List.of(new Item<>(attributes, JobItem.SCHEMA));
    return ReadJobs.readable(item).get(0);
  }

  @Override
  public List<Wakeup> needingAttention(
      int shard, Instant until, @Nullable Wakeup after, int limit) {
    return attention.until(shard, until, after, limit);
  }
}
