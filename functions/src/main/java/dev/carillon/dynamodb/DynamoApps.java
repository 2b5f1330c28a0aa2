package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.instantOf;
import static dev.carillon.dynamodb.Values.instantOrNull;
import static dev.carillon.dynamodb.Values.millis;
import static dev.carillon.dynamodb.Values.number;
import static dev.carillon.dynamodb.Values.numberOf;
import static dev.carillon.dynamodb.Values.text;
import static dev.carillon.dynamodb.Values.textOf;

import dev.carillon.app.App;
import dev.carillon.app.App.Lease;
import dev.carillon.app.Apps;
import dev.carillon.dynamodb.Writes.Condition;
import dev.carillon.id.AppId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Apps on DynamoDB, each an item of the table of schedules, under a key that no schedule can have.
 */
public final class DynamoApps implements Apps {

  private static final String KEY = "schedule";
  private static final String ITEM = "item";
  private static final String APP = "app";
  private static final String VERSION = "version";
  private static final String PROGRAMS = "programs";
  private static final String SCHEDULES = "schedules";
  private static final String DEPLOYED_AT = "deployedAt";
  private static final String DEPLOYED_BY = "deployedBy";
  private static final String LEASE_BY = "leaseBy";
  private static final String LEASE_SINCE = "leaseSince";
  private static final String LEASE_UNTIL = "leaseUntil";

  private final DynamoDbClient client;
  private final Writes writes;
  private final String table;

  public DynamoApps(DynamoDbClient client, Tables tables) {
    this.client = client;
    this.writes = new Writes(client);
    this.table = tables.schedules();
  }

  @Override
  public Optional<App> find(AppId id) {
    Map<String, AttributeValue> item =
        client.getItem(get -> get.tableName(table).key(key(id)).consistentRead(true)).item();
    return item.isEmpty() ? Optional.empty() : Optional.of(app(id, item));
  }

  @Override
  public boolean save(@Nullable App before, App after) {
    Condition unchanged =
        before == null ? Condition.absent(KEY) : Condition.equal(VERSION, number(before.version()));
    return writes.put(table, item(after), unchanged).isEmpty();
  }

  @Override
  public boolean delete(App stored) {
    return writes.delete(
        table, key(stored.id()), Condition.equal(VERSION, number(stored.version())));
  }

  private static Map<String, AttributeValue> key(AppId id) {
    return Map.of(KEY, text(id.namespace() + "/apps/" + id.name()), ITEM, text(APP));
  }

  static Map<String, AttributeValue> item(App app) {
    Map<String, AttributeValue> item = new HashMap<>(key(app.id()));
    item.put(VERSION, number(app.version()));
    item.put(PROGRAMS, texts(app.programs()));
    item.put(SCHEDULES, texts(app.schedules()));
    if (app.deployedAt() != null) {
      item.put(DEPLOYED_AT, millis(app.deployedAt()));
    }
    if (app.deployedBy() != null) {
      item.put(DEPLOYED_BY, text(app.deployedBy()));
    }
    Lease lease = app.deploying();
    if (lease != null) {
      item.put(LEASE_BY, text(lease.by()));
      item.put(LEASE_SINCE, millis(lease.since()));
      item.put(LEASE_UNTIL, millis(lease.until()));
    }
    return item;
  }

  static App app(AppId id, Map<String, AttributeValue> item) {
    AttributeValue deployedBy = item.get(DEPLOYED_BY);
    return new App(
        id,
        textsOf(item, PROGRAMS),
        new TreeSet<>(textsOf(item, SCHEDULES)),
        numberOf(item, VERSION),
        instantOrNull(item, DEPLOYED_AT),
        deployedBy == null ? null : deployedBy.s(),
        lease(item));
  }

  private static @Nullable Lease lease(Map<String, AttributeValue> item) {
    return item.containsKey(LEASE_BY)
        ? new Lease(
            textOf(item, LEASE_BY), instantOf(item, LEASE_SINCE), instantOf(item, LEASE_UNTIL))
        : null;
  }

  private static AttributeValue texts(Collection<String> values) {
    return AttributeValue.fromL(values.stream().map(Values::text).toList());
  }

  private static List<String> textsOf(Map<String, AttributeValue> item, String name) {
    AttributeValue list = item.get(name);
    return list == null ? List.of() : list.l().stream().map(AttributeValue::s).toList();
  }
}
