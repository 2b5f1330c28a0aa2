package dev.carillon.dynamodb;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.id.AppId;
import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Apps on DynamoDB, each an item of the table of schedules under a key that no schedule can have.
 */
public final class DynamoApps implements Apps {

  private final Writes writes;
  private final Repairs repairs;
  private final DynamoDbTable<Item<App>> apps;

  public DynamoApps(DynamoDbClient client, Tables tables, Fanout fanout) {
    Database database = new Database(client);
    this.writes = database.writes();
    this.repairs = new Repairs(database.batches(fanout));
    this.apps = database.table(tables.schedules(), () -> AppItem.SCHEMA);
  }

  @Override
  public Optional<App> find(AppId id) {
    Item<App> item = apps.getItem(get -> get.key(Schema.key(AppItem.KEY, id)).consistentRead(true));
    List<Item<App>> stored = item == null ? List.of() : List.of(item);
    return Optional.ofNullable(Items.byKey(stored, AppItem.KEY, App::id).get(id));
  }

  @Override
  public boolean save(@Nullable App before, App after) {
    Expression unchanged =
        before == null
            ? Writes.absent("schedule")
            : Writes.unchanged(AppItem.VERSION, before.version());
    return writes.put(apps, Item.of(after, AppItem.SCHEMA), unchanged).isEmpty();
  }

  @Override
  public boolean overwrite(App after) {
    Item<App> item = Item.of(after, AppItem.SCHEMA);
    return repairs
        .unreadable(apps, Schema.key(AppItem.KEY, after.id()))
        .filter(stored -> writes.put(apps, item, Repairs.unchanged(stored)).isEmpty())
        .isPresent();
  }

  @Override
  public boolean delete(App stored) {
    return writes.delete(
        apps, Schema.key(AppItem.KEY, stored.id()), AppItem.VERSION, stored.version());
  }
}
