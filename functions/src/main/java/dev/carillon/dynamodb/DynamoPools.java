package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.keyEqualTo;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortGreaterThan;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Queries.Part;
import dev.carillon.id.Page;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolPull;
import dev.carillon.pool.PoolRow;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.Pools;
import dev.carillon.pool.StoredPool;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Pools on DynamoDB, in the table of gates, whose attention index shows their wake-ups. */
public final class DynamoPools implements Pools {

  private final Batches batches;
  private final Writes writes;
  private final Repairs repairs;
  private final DynamoDbTable<Item<StoredPool>> pools;
  private final DynamoDbTable<Item<PoolState>> states;
  private final DynamoDbTable<Item<PoolRow>> rows;
  private final DynamoDbTable<Item<PoolPull>> pulls;
  private final PoolActivities activities;

  public DynamoPools(DynamoDbClient client, Tables tables, int attentionShards, Fanout fanout) {
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.writes = database.writes();
    this.repairs = new Repairs(batches);
    this.pools = database.table(tables.gates(), () -> PoolItem.SCHEMA);
    this.states = database.table(tables.gates(), () -> PoolItem.STATE);
    this.rows = database.table(tables.gates(), () -> PoolItem.ROW);
    this.pulls = database.table(tables.gates(), () -> PoolItem.PULL);
    this.activities =
        new PoolActivities(
            client,
            batches,
            database.table(tables.gates(), () -> PoolActivities.SCHEMA),
            attentionShards);
  }

  @Override
  public Map<PoolId, StoredPool> find(Collection<PoolId> ids) {
    return Items.byKey(
        batches.get(pools, ids.stream().map(DynamoPools::key).toList()),
        PoolItem.KEY,
        StoredPool::id);
  }

  @Override
  public boolean save(@Nullable StoredPool before, StoredPool after) {
    return writes
        .put(
            pools,
            Item.of(after, PoolItem.SCHEMA),
            unchanged(before == null ? 0 : before.version()))
        .isEmpty();
  }

  /** The condition that this version is stored; version 0 stands for no item. */
  private static Expression unchanged(long version) {
    return version == 0
        ? Writes.absent(GateItem.GATE)
        : Writes.unchanged(PoolItem.VERSION, version);
  }

  @Override
  public boolean overwrite(StoredPool after) {
    Item<StoredPool> item = Item.of(after, PoolItem.SCHEMA);
    return repairs
        .unreadable(pools, key(after.id()))
        .filter(stored -> writes.put(pools, item, Repairs.unchanged(stored)).isEmpty())
        .isPresent();
  }

  @Override
  public boolean delete(StoredPool pool) {
    return writes.delete(pools, key(pool.id()), PoolItem.VERSION, pool.version());
  }

  @Override
  public Page<StoredPool> list(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    String after = next == null ? " " : next;
    QueryConditional ofNamespace =
        sortGreaterThan(it -> it.partitionValue(PoolItem.listOf(namespace)).sortValue(after));
    Part<StoredPool> page =
        Queries.firstPage(
            pools.query(it -> it.queryConditional(ofNamespace).consistentRead(true).limit(limit)));
    return new Page<>(page.readable(), page.next(PoolItem.KEY, PoolId::name));
  }

  @Override
  public List<StoredPool> matching(String namespace) {
    QueryConditional ofNamespace = keyEqualTo(it -> it.partitionValue(PoolItem.listOf(namespace)));
    List<Item<StoredPool>> all =
        Queries.all(pools.query(it -> it.queryConditional(ofNamespace).consistentRead(true)));
    return Items.byKey(all, PoolItem.KEY, StoredPool::id).values().stream()
        .filter(stored -> stored.pool().match() != null)
        .sorted(Comparator.comparing(stored -> stored.id().name()))
        .toList();
  }

  @Override
  public Optional<PoolState> state(PoolId pool) {
    List<Item<PoolState>> stored =
        batches.get(states, List.of(Schema.key(PoolItem.STATE_KEY, pool)));
    return Optional.ofNullable(Items.byKey(stored, PoolItem.STATE_KEY, PoolState::pool).get(pool));
  }

  @Override
  public boolean repair(PoolId pool, Instant now) {
    return activities.repair(pool, repairs, writes)
        && repairs
            .unreadable(states, Schema.key(PoolItem.STATE_KEY, pool))
            .map(stored -> replace(stored, PoolState.standIn(activity(pool), now)))
            .orElse(true);
  }

  private boolean replace(Item<PoolState> stored, PoolState standIn) {
    Item<PoolState> item = Item.of(standIn, PoolItem.STATE);
    return writes.put(states, item, Repairs.unchanged(stored)).isEmpty();
  }

  @Override
  public boolean update(PoolState before, PoolState after) {
    return writes
        .put(states, Item.of(after, PoolItem.STATE), unchanged(before.version()))
        .isEmpty();
  }

  @Override
  public boolean reorder(PoolState before, PoolState after, Collection<? extends PoolRow> removed) {
    Writes.Guarded state =
        writes.guarded(states, Item.of(after, PoolItem.STATE), unchanged(before.version()));
    return writes.transact(
        state, removed.stream().map(row -> Writes.deleting(rows, key(row))).toList());
  }

  @Override
  public void put(Collection<? extends PoolRow> added) {
    batches.put(rows, added.stream().map(row -> Item.<PoolRow>of(row, PoolItem.ROW)).toList());
  }

  @Override
  public void remove(Collection<? extends PoolRow> removed) {
    batches.delete(rows, removed.stream().map(DynamoPools::key).toList());
  }

  /** Reads two more rows than asked for, because DynamoDB's range includes both bounds. */
  @Override
  public List<PoolRow> rows(PoolId pool, String after, String until, int limit) {
    if (after.compareTo(until) >= 0) {
      return List.of();
    }
    QueryConditional range =
        sortBetween(
            it -> it.partitionValue(pool.toString()).sortValue(after),
            it -> it.partitionValue(pool.toString()).sortValue(until));
    QueryEnhancedRequest query =
        QueryEnhancedRequest.builder()
            .queryConditional(range)
            .consistentRead(true)
            .limit(limit + 2)
            .build();
    return Queries.readable(rows.query(query), limit + 2).stream()
        .filter(row -> !row.key().equals(after) && !row.key().equals(until))
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<PoolPull> pull(PoolId pool, String requestId) {
    PoolPull wanted = new PoolPull(pool, requestId, List.of(), Instant.EPOCH);
    List<Item<PoolPull>> stored =
        batches.get(pulls, List.of(Schema.<PoolPull>key(PoolItem.PULL, wanted)));
    return Items.readable(stored).stream().findFirst();
  }

  @Override
  public boolean save(PoolPull pull) {
    Item<PoolPull> item = Item.of(pull, PoolItem.PULL).expiring(pull.until());
    return writes.put(pulls, item, Writes.absent(GateItem.GATE)).isEmpty();
  }

  @Override
  public PoolActivity activity(PoolId pool) {
    return activities.find(pool);
  }

  @Override
  public PoolActivity claimed(PoolId pool, int jobs) {
    return activities.claimed(pool, jobs);
  }

  @Override
  public Optional<Instant> planChoice(PoolId pool, Instant now) {
    return activities.planChoice(pool, now);
  }

  @Override
  public void rest(PoolActivity before) {
    activities.rest(before);
  }

  @Override
  public boolean examine(PoolActivity before, Instant now) {
    return activities.examine(before, now);
  }

  private static Key key(PoolId id) {
    return Schema.key(PoolItem.KEY, id);
  }

  private static Key key(PoolRow row) {
    return Schema.key(PoolItem.ROW, row);
  }
}
