package dev.carillon.dynamodb;

import static java.util.Objects.requireNonNull;
import static software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional.sortBetween;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.GatedRow.Gated;
import dev.carillon.dynamodb.Writes.Write;
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
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Schedules on DynamoDB: the items {@code head} and {@code def}, and one for each event key. */
public final class DynamoSchedules implements Schedules {

  private static final int MOST_READS = 5;

  private final Batches batches;
  private final Writes writes;
  private final DynamoDbTable<Row<Head>> heads;
  private final DynamoDbTable<Row<Definition>> definitions;
  private final DynamoDbTable<Row<Gated>> gated;
  private final DynamoDbTable<Row<EventKeyRow>> entries;
  private final DynamoDbTable<Row<Timer>> timers;
  private final EventKeyIndex eventKeys;
  private final ScheduleListing listing;
  private final int timerShards;
  private final Duration retention;
  private final InstantSource clock;

  /**
   * @param timerShards those of the {@link DynamoTimers} on the same tables
   * @param retention how long the tombstone of a deleted schedule is kept
   * @param clock tells when that time begins
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
    this.heads = database.table(tables.schedules(), () -> HeadRow.SCHEMA);
    this.definitions = database.table(tables.schedules(), () -> DefinitionRow.SCHEMA);
    this.gated = database.table(tables.schedules(), () -> GatedRow.SCHEMA);
    this.entries = database.table(tables.schedules(), () -> EventKeyRow.SCHEMA);
    this.timers = database.table(tables.timers(), () -> TimerRow.SCHEMA);
    this.eventKeys = new EventKeyIndex(entries, fanout);
    this.listing = new ScheduleListing(heads, this);
    this.timerShards = timerShards;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Map<ScheduleId, Head> heads(Collection<ScheduleId> ids) {
    return heads(batches.get(heads, keys(HeadRow.KEY, ids)));
  }

  @Override
  public Launching forLaunch(Collection<ScheduleId> ids) {
    Set<String> namespaces = ids.stream().map(ScheduleId::namespace).collect(Collectors.toSet());
    List<Key> keys = new ArrayList<>(keys(HeadRow.KEY, ids));
    keys.addAll(keys(GatedRow.KEY, namespaces));
    List<Row<Head>> found = new ArrayList<>();
    List<Row<Gated>> asked = new ArrayList<>();
    for (Row<Head> row : batches.get(heads, keys)) {
      if (GatedRow.isOne(row)) {
        asked.add(row.as(GatedRow.SCHEMA));
      } else {
        found.add(row);
      }
    }
    return new Launching(heads(found), GatedRow.read(namespaces, asked), definitions(found));
  }

  @Override
  public Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return heads(batches.getRecent(heads, keys(HeadRow.KEY, ids)));
  }

  private static Map<ScheduleId, Head> heads(List<Row<Head>> rows) {
    Map<ScheduleId, Head> heads = new HashMap<>();
    Rows.all(rows, (damaged, first) -> new UnreadableSchedules(ids(damaged), first))
        .forEach(head -> heads.put(head.id(), head));
    return heads;
  }

  private static Set<ScheduleId> ids(List<Row<Head>> rows) {
    return rows.stream().map(DynamoSchedules::idOf).collect(Collectors.toSet());
  }

  private static ScheduleId idOf(Row<?> row) {
    return row.as(HeadRow.KEY).record();
  }

  @Override
  public Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids) {
    return definitions(batches.get(definitions, keys(DefinitionRow.KEY, ids)));
  }

  @Override
  public Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return definitions(batches.getRecent(definitions, keys(DefinitionRow.KEY, ids)));
  }

  /** Of those items that are definitions, or heads with one; without what cannot be read. */
  static Map<ScheduleId, Definition> definitions(List<? extends Row<?>> rows) {
    List<Row<Definition>> told = new ArrayList<>();
    for (Row<?> row : rows) {
      if (DefinitionRow.isIn(row)) {
        told.add(row.as(DefinitionRow.SCHEMA));
      }
    }
    Map<ScheduleId, Definition> definitions = new HashMap<>();
    Rows.readable(told).forEach(definition -> definitions.put(definition.id(), definition));
    return definitions;
  }

  /** The definitions that were stored with these very heads; others may be left out. */
  Map<ScheduleId, Definition> definitionsOf(Collection<Head> read) {
    Map<ScheduleId, Long> versions =
        read.stream().collect(Collectors.toMap(Head::id, Head::version));
    return definitions(
        batches.getRecent(definitions, keys(DefinitionRow.KEY, versions.keySet())).stream()
            .filter(row -> DefinitionRow.headVersion(row) == versions.getOrDefault(idOf(row), 0L))
            .toList());
  }

  private static <I> List<Key> keys(TableSchema<I> schema, Collection<I> ids) {
    return ids.stream().map(id -> Schema.key(schema, id)).toList();
  }

  @Override
  public Optional<StoredSchedule> find(ScheduleId id) {
    QueryConditional both =
        sortBetween(Schema.key(DefinitionRow.KEY, id), Schema.key(HeadRow.KEY, id));
    for (int retry = 0; retry < MOST_READS; retry++) {
      List<Row<Head>> rows =
          Queries.firstPage(heads.query(it -> it.queryConditional(both).consistentRead(true)))
              .rows();
      try {
        if (areOneVersion(rows)) {
          return stored(rows);
        }
      } catch (RuntimeException damage) {
        throw new UnreadableSchedules(Set.of(id), damage);
      }
      Backoff.pause(retry);
    }
    throw new IllegalStateException("schedule " + id + " changes faster than it can be read");
  }

  /** A query may see one item of a transaction and not yet the other. */
  private static boolean areOneVersion(List<Row<Head>> rows) {
    if (rows.isEmpty()) {
      return true;
    }
    Row<Head> last = rows.get(rows.size() - 1);
    if (!last.text("item").equals(HeadRow.ITEM)) {
      return false;
    }
    return rows.size() == 2
        ? DefinitionRow.headVersion(rows.get(0)) == last.record().version()
        : last.record().isDeleted();
  }

  private static Optional<StoredSchedule> stored(List<Row<Head>> rows) {
    return rows.size() < 2
        ? Optional.empty()
        : Optional.of(
            new StoredSchedule(
                rows.get(1).record(), rows.get(0).as(DefinitionRow.SCHEMA).record()));
  }

  @Override
  public boolean save(Change change) {
    Head before = change.before();
    Expression unchanged =
        before == null
            ? Writes.absent("schedule")
            : Writes.unchanged(HeadRow.VERSION, before.version());
    List<Write> others = others(change);
    try {
      return writes.transact(writes.guarded(heads, row(change), unchanged), others);
    } catch (TransactionCanceledException refused) {
      if (change.demands() != null && Cancellations.isTooLarge(refused, others.size())) {
        throw new TooManyDemandsException(refused);
      }
      throw refused;
    }
  }

  /** What is asked of gates comes last. */
  private List<Write> others(Change change) {
    ScheduleId id = change.after().id();
    List<Write> others = new ArrayList<>();
    Definition definition = change.definition();
    others.add(
        definition == null
            ? Writes.deleting(definitions, Schema.key(DefinitionRow.KEY, id))
            : Writes.putting(definitions, DefinitionRow.of(definition, change.after().version())));
    if (!change.staleKeys().isEmpty()) {
      long stale = requireNonNull(change.before()).generation();
      for (String key : change.staleKeys()) {
        others.add(Writes.deleting(entries, entries.keyFrom(entry(id, stale, key))));
      }
    }
    for (String key : change.keys()) {
      others.add(Writes.putting(entries, entry(id, change.after().generation(), key)));
    }
    for (Timer timer : change.timers()) {
      others.add(Writes.putting(timers, TimerRow.of(timer, timerShards)));
    }
    if (change.demands() != null) {
      others.add(Writes.updating(gated, GatedRow.change(id, change.demands())));
    }
    return others;
  }

  private static Row<EventKeyRow> entry(ScheduleId id, long generation, String key) {
    return Row.of(EventKeyRow.of(id, generation, key), EventKeyRow.SCHEMA);
  }

  private Row<Head> row(Change change) {
    Row<Head> row = Row.of(change.after(), HeadRow.SCHEMA);
    if (change.after().isDeleted()) {
      row = row.expiring(clock.instant().plus(retention));
    }
    return change.definition() == null ? row : DefinitionRow.addedIfSmall(row, change.definition());
  }

  @Override
  public Page<StoredSchedule> list(
      String namespace, ListFilter filter, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    return filter.eventKey() == null
        ? listing.ofNamespace(namespace, filter, limit, next)
        : listing.among(withEventKey(namespace, filter.eventKey()), filter, limit, next);
  }

  @Override
  public Set<String> programs(String namespace) {
    return listing.programs(namespace);
  }

  @Override
  public Set<ScheduleId> withEventKey(String namespace, String eventKey) {
    return eventKeys.schedules(namespace, eventKey);
  }

  @Override
  public boolean indexShows(ScheduleId id, long generation, Set<String> keys) {
    return eventKeys.shows(id, generation, keys);
  }

  /**
   * Pages through the index of the heads that are not deleted: the one scan there is. It reads no
   * documents but those of ACTIVE schedules.
   */
  @Override
  public Page<StoredSchedule> walk(int limit, @Nullable String next) {
    return listing.walk(limit, next);
  }
}
