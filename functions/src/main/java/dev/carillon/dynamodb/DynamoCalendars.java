package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.deflated;
import static dev.carillon.dynamodb.Values.inflatedOf;
import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.NamedCalendar;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.id.CalendarId;
import dev.carillon.id.Page;
import dev.carillon.runtime.Fanout;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Calendars on DynamoDB: those of a namespace are items of one key in the table of schedules, and
 * appear in none of its indexes.
 */
public final class DynamoCalendars implements Calendars {

  private static final String KEY = "schedule";
  private static final String ITEM = "item";
  private static final String VERSION = "version";
  private static final String CURRENT = "current";
  private static final String BEFORE = "before";
  private static final CalendarReader READER = new CalendarReader(ZoneOffset.UTC);

  private final DynamoDbClient client;
  private final Batches batches;
  private final Writes writes;
  private final String table;

  public DynamoCalendars(DynamoDbClient client, Tables tables, Fanout fanout) {
    this.client = client;
    this.batches = new Batches(client, fanout);
    this.writes = new Writes(client);
    this.table = tables.schedules();
  }

  @Override
  public Map<CalendarId, StoredCalendar> find(Collection<CalendarId> ids) {
    return batches.get(table, ids.stream().map(DynamoCalendars::key).toList()).stream()
        .map(DynamoCalendars::read)
        .collect(Collectors.toMap(StoredCalendar::id, Function.identity()));
  }

  @Override
  public boolean save(@Nullable StoredCalendar before, StoredCalendar after) {
    Condition unchanged =
        before == null ? Condition.absent(KEY) : Condition.equal(VERSION, number(before.version()));
    return writes.put(table, item(after), unchanged).isEmpty();
  }

  /** A delete that took effect but lost its answer finds nothing when it is repeated. */
  @Override
  public boolean delete(StoredCalendar calendar) {
    try {
      client.deleteItem(
          delete ->
              delete
                  .tableName(table)
                  .key(key(calendar.id()))
                  .conditionExpression("attribute_not_exists(#key) OR #version = :version")
                  .expressionAttributeNames(Map.of("#key", KEY, "#version", VERSION))
                  .expressionAttributeValues(Map.of(":version", number(calendar.version()))));
      return true;
    } catch (ConditionalCheckFailedException changed) {
      return false;
    }
  }

  @Override
  public Page<StoredCalendar> list(String namespace, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    QueryRequest query =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("#key = :key AND #item > :after")
            .expressionAttributeNames(Map.of("#key", KEY, "#item", ITEM))
            .expressionAttributeValues(
                Map.of(
                    ":key", text(partition(namespace)), ":after", text(next == null ? " " : next)))
            .limit(limit)
            .build();
    QueryResponse answer = client.query(query);
    String last = answer.hasLastEvaluatedKey() ? textOf(answer.lastEvaluatedKey(), ITEM) : null;
    return new Page<>(answer.items().stream().map(DynamoCalendars::read).toList(), last);
  }

  private static Map<String, AttributeValue> key(CalendarId id) {
    return Map.of(KEY, text(partition(id.namespace())), ITEM, text(id.name()));
  }

  /** No schedule has such a key: theirs hold a slash. */
  private static String partition(String namespace) {
    return namespace + "#calendars";
  }

  private static Map<String, AttributeValue> item(StoredCalendar calendar) {
    Map<String, AttributeValue> item = new HashMap<>(key(calendar.id()));
    item.put("in", text(calendar.id().namespace()));
    item.put(VERSION, number(calendar.version()));
    item.put(CURRENT, deflated(Json.write(calendar.current().document())));
    NamedCalendar before = calendar.before();
    if (before != null) {
      item.put(BEFORE, deflated(Json.write(before.document())));
    }
    item.put("createdAt", millis(calendar.createdAt()));
    item.put("createdBy", text(calendar.createdBy()));
    item.put("changedAt", millis(calendar.changedAt()));
    item.put("changedBy", text(calendar.changedBy()));
    return item;
  }

  private static StoredCalendar read(Map<String, AttributeValue> item) {
    return new StoredCalendar(
        new CalendarId(textOf(item, "in"), textOf(item, ITEM)),
        numberOf(item, VERSION),
        calendar(item, CURRENT).orElseThrow(),
        calendar(item, BEFORE).orElse(null),
        instantOf(item, "createdAt"),
        textOf(item, "createdBy"),
        instantOf(item, "changedAt"),
        textOf(item, "changedBy"));
  }

  private static Optional<NamedCalendar> calendar(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name)
        ? Optional.of(READER.read(Json.readObject(inflatedOf(item, name))))
        : Optional.empty();
  }
}
