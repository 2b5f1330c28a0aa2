package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.seconds;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;
import static java.util.Objects.requireNonNull;

import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Writes.Condition;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Schedules on DynamoDB: the items {@code head} and {@code def}, and one for each event key. */
public final class DynamoSchedules implements Schedules {

  private static final String BOTH = "schedule = :schedule AND #item BETWEEN :def AND :head";
  private static final int MOST_READS = 5;

  private final DynamoDbClient client;
  private final Batches batches;
  private final Writes writes;
  private final EventKeyIndex eventKeys;
  private final ScheduleListing listing;
  private final Tables tables;
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
    this.client = client;
    this.batches = new Batches(client, fanout);
    this.writes = new Writes(client);
    this.eventKeys = new EventKeyIndex(client, tables.schedules(), fanout);
    this.listing = new ScheduleListing(client, tables.schedules(), this);
    this.tables = tables;
    this.timerShards = timerShards;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Map<ScheduleId, Head> heads(Collection<ScheduleId> ids) {
    return heads(batches.get(tables.schedules(), keys(ids, HeadRow.ITEM)));
  }

  @Override
  public Launching forLaunch(Collection<ScheduleId> ids) {
    Set<String> namespaces = new HashSet<>();
    List<Map<String, AttributeValue>> keys = keys(ids, HeadRow.ITEM);
    for (ScheduleId id : ids) {
      if (namespaces.add(id.namespace())) {
        keys.add(GatedRow.key(id.namespace()));
      }
    }
    List<Map<String, AttributeValue>> heads = new ArrayList<>();
    List<Map<String, AttributeValue>> gated = new ArrayList<>();
    for (Map<String, AttributeValue> item : batches.get(tables.schedules(), keys)) {
      (GatedRow.isOne(item) ? gated : heads).add(item);
    }
    return new Launching(heads(heads), GatedRow.read(namespaces, gated), definitions(heads));
  }

  @Override
  public Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return heads(batches.getRecent(tables.schedules(), keys(ids, HeadRow.ITEM)));
  }

  private static Map<ScheduleId, Head> heads(List<Map<String, AttributeValue>> items) {
    Map<ScheduleId, Head> heads = new HashMap<>();
    Rows.all(
            items,
            HeadRow::read,
            (damaged, first) ->
                new UnreadableSchedules(
                    damaged.stream().map(DynamoSchedules::idOf).collect(Collectors.toSet()), first))
        .forEach(head -> heads.put(head.id(), head));
    return heads;
  }

  @Override
  public Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids) {
    return definitions(batches.get(tables.schedules(), keys(ids, DefinitionRow.ITEM)));
  }

  @Override
  public Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return definitions(batches.getRecent(tables.schedules(), keys(ids, DefinitionRow.ITEM)));
  }

  private static ScheduleId idOf(Map<String, AttributeValue> item) {
    return ScheduleId.parse(textOf(item, "schedule"));
  }

  /** Of those items that are definitions, or heads with one; without what cannot be read. */
  static Map<ScheduleId, Definition> definitions(List<Map<String, AttributeValue>> items) {
    Map<ScheduleId, Definition> definitions = new HashMap<>();
    Rows.readable(items.stream().filter(DefinitionRow::isIn).toList(), DefinitionRow::read)
        .forEach(definition -> definitions.put(definition.id(), definition));
    return definitions;
  }

  /** The definitions that were stored with these very heads; others may be left out. */
  Map<ScheduleId, Definition> definitionsOf(Collection<Head> heads) {
    Map<ScheduleId, Long> versions =
        heads.stream().collect(Collectors.toMap(Head::id, Head::version));
    return definitions(
        batches.getRecent(tables.schedules(), keys(versions.keySet(), DefinitionRow.ITEM)).stream()
            .filter(
                item ->
                    numberOf(item, DefinitionRow.HEAD_VERSION)
                        == versions.getOrDefault(idOf(item), 0L))
            .toList());
  }

  private static List<Map<String, AttributeValue>> keys(Collection<ScheduleId> ids, String item) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    ids.forEach(id -> keys.add(key(id, item)));
    return keys;
  }

  @Override
  public Optional<StoredSchedule> find(ScheduleId id) {
    QueryRequest query =
        QueryRequest.builder()
            .tableName(tables.schedules())
            .consistentRead(true)
            .keyConditionExpression(BOTH)
            .expressionAttributeNames(Map.of("#item", "item"))
            .expressionAttributeValues(
                Map.of(
                    ":schedule", text(id.toString()),
                    ":def", text(DefinitionRow.ITEM),
                    ":head", text(HeadRow.ITEM)))
            .build();
    for (int retry = 0; retry < MOST_READS; retry++) {
      List<Map<String, AttributeValue>> items = client.query(query).items();
      try {
        if (areOneVersion(items)) {
          return stored(items);
        }
      } catch (RuntimeException damage) {
        throw new UnreadableSchedules(Set.of(id), damage);
      }
      Backoff.pause(retry);
    }
    throw new IllegalStateException("schedule " + id + " changes faster than it can be read");
  }

  /** A query may see one item of a transaction and not yet the other. */
  private static boolean areOneVersion(List<Map<String, AttributeValue>> items) {
    if (items.isEmpty()) {
      return true;
    }
    Map<String, AttributeValue> last = items.get(items.size() - 1);
    if (!textOf(last, "item").equals(HeadRow.ITEM)) {
      return false;
    }
    return items.size() == 2
        ? numberOf(items.get(0), DefinitionRow.HEAD_VERSION) == numberOf(last, "version")
        : HeadRow.read(last).isDeleted();
  }

  private static Optional<StoredSchedule> stored(List<Map<String, AttributeValue>> items) {
    return items.size() < 2
        ? Optional.empty()
        : Optional.of(
            new StoredSchedule(HeadRow.read(items.get(1)), DefinitionRow.read(items.get(0))));
  }

  @Override
  public boolean save(Change change) {
    Head before = change.before();
    Condition unchanged =
        before == null
            ? Condition.absent("schedule")
            : Condition.equal("version", number(before.version()));
    List<TransactWriteItem> others = others(change);
    try {
      return writes.transact(
          writes.guarded(tables.schedules(), headItem(change), unchanged), others);
    } catch (TransactionCanceledException refused) {
      if (change.asks() != null && isTooLarge(refused, others.size())) {
        throw new TooManyAsksException(refused);
      }
      throw refused;
    }
  }

  /**
   * Whether one of a transaction's items would have become larger than an item may be.
   *
   * @param index of its write
   */
  private static boolean isTooLarge(TransactionCanceledException refused, int index) {
    List<CancellationReason> reasons = refused.cancellationReasons();
    return index < reasons.size() && "ValidationError".equals(reasons.get(index).code());
  }

  /** What is asked of gates comes last. */
  private List<TransactWriteItem> others(Change change) {
    ScheduleId id = change.after().id();
    List<TransactWriteItem> others = new ArrayList<>();
    Definition definition = change.definition();
    others.add(
        definition == null
            ? delete(key(id, DefinitionRow.ITEM))
            : put(tables.schedules(), definitionItem(definition, change.after())));
    if (!change.staleKeys().isEmpty()) {
      long stale = requireNonNull(change.before()).generation();
      change.staleKeys().forEach(key -> others.add(delete(EventKeyIndex.key(id, stale, key))));
    }
    long generation = change.after().generation();
    for (String key : change.keys()) {
      others.add(put(tables.schedules(), EventKeyIndex.entry(id, generation, key)));
    }
    for (Timer timer : change.timers()) {
      others.add(put(tables.timers(), TimerRow.of(timer, timerShards)));
    }
    if (change.asks() != null) {
      others.add(GatedRow.write(tables.schedules(), id, change.asks()));
    }
    return others;
  }

  private Map<String, AttributeValue> headItem(Change change) {
    Map<String, AttributeValue> item = HeadRow.of(change.after());
    if (change.after().isDeleted()) {
      item.put("expiresAt", seconds(clock.instant().plus(retention)));
    }
    if (change.definition() != null) {
      DefinitionRow.addIfSmall(item, change.definition());
    }
    return item;
  }

  private static Map<String, AttributeValue> definitionItem(Definition definition, Head head) {
    Map<String, AttributeValue> item = DefinitionRow.of(definition);
    item.put(DefinitionRow.HEAD_VERSION, number(head.version()));
    return item;
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

  private TransactWriteItem put(String table, Map<String, AttributeValue> item) {
    return TransactWriteItem.builder().put(put -> put.tableName(table).item(item)).build();
  }

  private TransactWriteItem delete(Map<String, AttributeValue> key) {
    return TransactWriteItem.builder()
        .delete(gone -> gone.tableName(tables.schedules()).key(key))
        .build();
  }

  private static Map<String, AttributeValue> key(ScheduleId id, String item) {
    return Map.of("schedule", text(id.toString()), "item", text(item));
  }
}
