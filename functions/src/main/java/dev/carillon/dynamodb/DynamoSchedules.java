package dev.carillon.dynamodb;

import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Writes.Write;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Schedules on DynamoDB: an item {@code head}, an item {@code def}, and an item for each event key.
 */
public final class DynamoSchedules implements Schedules {

  private static final int MOST_READS = 5;
  private static final int MOST_MEMBERS = 1_000;

  private final Batches batches;
  private final Writes writes;
  private final Repairs repairs;
  private final DynamoDbTable<Item<Head>> heads;
  private final DynamoDbTable<Item<Definition>> definitions;
  private final DemandWrites demands;
  private final DynamoDbTable<Item<EventKeyItem>> entries;
  private final DynamoDbTable<Item<Timer>> timers;
  private final EventKeyIndex eventKeys;
  private final AppMembers members;
  private final FormerDefinitions former;
  private final ScheduleListing listing;
  private final int timerShards;
  private final Duration retention;
  private final InstantSource clock;

  /**
   * @param timerShards the number of shards of the {@link DynamoTimers} on the same tables
   * @param retention how long the tombstone of a deleted schedule is kept
   * @param clock gives the instant from which the retention counts
   */
  public DynamoSchedules(
      DynamoDbClient client,
      Tables tables,
      int timerShards,
      Duration retention,
      InstantSource clock,
      Fanout fanout) {
    Database database = new Database(client);
    this.batches = database.batches(fanout);
    this.writes = database.writes();
    this.repairs = new Repairs(batches);
    this.heads = database.table(tables.schedules(), () -> HeadItem.SCHEMA);
    this.definitions = database.table(tables.schedules(), () -> DefinitionItem.SCHEMA);
    this.demands = new DemandWrites(database, tables);
    this.entries = database.table(tables.schedules(), () -> EventKeyItem.SCHEMA);
    this.timers = database.table(tables.timers(), () -> TimerItem.SCHEMA);
    this.eventKeys = new EventKeyIndex(entries, fanout);
    this.members = new AppMembers(database, tables);
    this.former = new FormerDefinitions(batches, definitions, retention, clock);
    this.listing = new ScheduleListing(heads, this);
    this.timerShards = timerShards;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Map<ScheduleId, Head> heads(Collection<ScheduleId> ids) {
    return heads(headItems(ids));
  }

  /** The items of {@link #heads}, with the definitions that they contain. */
  List<Item<Head>> headItems(Collection<ScheduleId> ids) {
    return batches.get(heads, keys(HeadItem.KEY, ids));
  }

  @Override
  public Launching forLaunch(Collection<ScheduleId> ids) {
    Set<String> namespaces = ids.stream().map(ScheduleId::namespace).collect(Collectors.toSet());
    List<Key> keys = new ArrayList<>(keys(HeadItem.KEY, ids));
    keys.addAll(keys(LimitedItem.KEY, namespaces));
    List<Item<Head>> found = new ArrayList<>();
    List<Item<String>> buckets = new ArrayList<>();
    for (Item<Head> item : batches.get(heads, keys)) {
      if (LimitedItem.isOne(item)) {
        buckets.add(item.as(LimitedItem.KEY));
      } else {
        found.add(item);
      }
    }
    return new Launching(heads(found), LimitedItem.read(namespaces, buckets), definitions(found));
  }

  @Override
  public Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return heads(batches.getRecent(heads, keys(HeadItem.KEY, ids)));
  }

  private static Map<ScheduleId, Head> heads(List<Item<Head>> items) {
    Map<ScheduleId, Head> heads = new HashMap<>();
    Items.all(items, (damaged, first) -> new UnreadableSchedules(ids(damaged), first))
        .forEach(head -> heads.put(head.id(), head));
    return heads;
  }

  private static Set<ScheduleId> ids(List<Item<Head>> items) {
    return items.stream().map(DynamoSchedules::idOf).collect(Collectors.toSet());
  }

  private static ScheduleId idOf(Item<?> item) {
    return item.as(HeadItem.KEY).record();
  }

  @Override
  public Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids) {
    return definitions(batches.get(definitions, keys(DefinitionItem.KEY, ids)));
  }

  @Override
  public Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return definitions(batches.getRecent(definitions, keys(DefinitionItem.KEY, ids)));
  }

  /**
   * Reads definitions from items that are, or contain, definitions. Definitions that cannot be read
   * are left out.
   */
  static Map<ScheduleId, Definition> definitions(List<? extends Item<?>> items) {
    List<Item<Definition>> stored = new ArrayList<>();
    for (Item<?> item : items) {
      if (DefinitionItem.isIn(item)) {
        stored.add(item.as(DefinitionItem.SCHEMA));
      }
    }
    Map<ScheduleId, Definition> definitions = new HashMap<>();
    Items.readable(stored).forEach(definition -> definitions.put(definition.id(), definition));
    return definitions;
  }

  /** The definitions that were stored with these heads. Those of other versions are left out. */
  Map<ScheduleId, Definition> definitionsOf(Collection<Head> read) {
    Map<ScheduleId, Long> versions =
        read.stream().collect(Collectors.toMap(Head::id, Head::version));
    return definitions(
        batches.getRecent(definitions, keys(DefinitionItem.KEY, versions.keySet())).stream()
            .filter(item -> DefinitionItem.isOfHead(item, versions.getOrDefault(idOf(item), 0L)))
            .toList());
  }

  @Override
  public Optional<Definition> former(ScheduleId id, long generation) {
    return former.find(id, generation);
  }

  private static <I> List<Key> keys(TableSchema<I> schema, Collection<I> ids) {
    return ids.stream().map(id -> Schema.key(schema, id)).toList();
  }

  @Override
  public Optional<StoredSchedule> find(ScheduleId id) {
    QueryConditional both =
        sortBetween(Schema.key(DefinitionItem.KEY, id), Schema.key(HeadItem.KEY, id));
    for (int retry = 0; true; retry++) {
      List<Item<Head>> items =
          Queries.firstPage(heads.query(it -> it.queryConditional(both).consistentRead(true)))
              .items();
      try {
        if (retry == MOST_READS - 1 || ScheduleItems.areOneVersion(items)) {
          return ScheduleItems.stored(items);
        }
      } catch (RuntimeException damage) {
        throw new UnreadableSchedules(Set.of(id), damage);
      }
      Backoff.pause(retry);
    }
  }

  @Override
  public boolean save(Change change) {
    Head before = change.before();
    Expression unchanged =
        before == null
            ? Writes.absent("schedule")
            : Writes.unchanged(HeadItem.VERSION, before.version());
    return demands.transact(
        writes.guarded(heads, item(change), unchanged),
        others(change, members.writes(change)),
        change.after().id().namespace(),
        change.demands());
  }

  @Override
  public boolean overwrite(Change change) {
    return repairs.unreadable(heads, Schema.key(HeadItem.KEY, change.after().id())).stream()
        .anyMatch(stored -> overwrite(stored, change));
  }

  private boolean overwrite(Item<Head> stored, Change change) {
    return demands.transact(
        writes.guarded(heads, item(change), Repairs.unchanged(stored)),
        others(change, members.writes(stored, change.after())),
        change.after().id().namespace(),
        HeadItem.demands(stored).to(change.after().demands()));
  }

  private List<Write> others(Change change, List<Write> ofApps) {
    ScheduleId id = change.after().id();
    List<Write> others = new ArrayList<>(ofApps);
    others.addAll(former.writes(change));
    Definition definition = change.definition();
    others.add(
        definition == null
            ? Writes.deleting(definitions, Schema.key(DefinitionItem.KEY, id))
            : Writes.putting(definitions, DefinitionItem.of(definition, change.after().version())));
    eventKeys.stale(change).forEach(stale -> others.add(Writes.deleting(entries, stale)));
    for (String key : change.keys()) {
      others.add(Writes.putting(entries, EventKeyItem.item(id, change.after().generation(), key)));
    }
    for (Timer timer : change.timers()) {
      others.add(Writes.putting(timers, TimerItem.of(timer, timerShards)));
    }
    return others;
  }

  private Item<Head> item(Change change) {
    Item<Head> item = Item.of(change.after(), HeadItem.SCHEMA);
    if (change.after().isDeleted()) {
      item = item.expiring(clock.instant().plus(retention));
    }
    return change.definition() == null
        ? item
        : DefinitionItem.addedIfSmall(item, change.definition());
  }

  @Override
  public Page<StoredSchedule> list(
      String namespace, ListFilter filter, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    if (filter.eventKey() != null) {
      return listing.among(withEventKey(namespace, filter.eventKey()), filter, limit, next);
    }
    return filter.app() == null
        ? listing.ofNamespace(namespace, filter, limit, next)
        : listing.ofApp(members, new AppId(namespace, filter.app()), filter, limit, next);
  }

  @Override
  public Set<String> programs(String namespace) {
    return listing.programs(namespace);
  }

  @Override
  public Page<ScheduleId> ofApp(AppId app, @Nullable String after) {
    return members.schedules(app, after, MOST_MEMBERS);
  }

  @Override
  public Page<ScheduleId> withEventKey(String namespace, String eventKey, @Nullable String after) {
    return eventKeys.schedules(namespace, eventKey, after);
  }

  @Override
  public boolean indexShows(ScheduleId id, long generation, Set<String> keys) {
    return eventKeys.shows(id, generation, keys);
  }

  /**
   * Pages through the index of the heads that are not deleted. This is the only scan of schedules.
   * It reads only the documents of ACTIVE schedules.
   */
  @Override
  public Page<StoredSchedule> walk(WalkPart part, int limit, @Nullable String next) {
    return listing.walk(part, limit, next);
  }
}
