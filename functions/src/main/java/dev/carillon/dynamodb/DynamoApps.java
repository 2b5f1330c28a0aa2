package dev.carillon.dynamodb;

import dev.carillon.app.App;
import dev.carillon.app.Apps;
import dev.carillon.id.AppId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Apps on DynamoDB, each an item of the table of schedules, under a key that no schedule can have.
 */
public final class DynamoApps implements Apps {

  private final Writes writes;
  private final DynamoDbTable<Row<App>> apps;

  public DynamoApps(DynamoDbClient client, Tables tables) {
    Database database = new Database(client);
    this.writes = database.writes();
    this.apps = database.table(tables.schedules(), () -> AppRow.SCHEMA);
  }

  @Override
  public Optional<App> find(AppId id) {
    Row<App> row = apps.getItem(get -> get.key(Schema.key(AppRow.KEY, id)).consistentRead(true));
    return Optional.ofNullable(row).map(Row::record);
  }

  @Override
  public boolean save(@Nullable App before, App after) {
    Expression unchanged =
        before == null
            ? Writes.absent("schedule")
            : Writes.unchanged(AppRow.VERSION, before.version());
    return writes.put(apps, Row.of(after, AppRow.SCHEMA), unchanged).isEmpty();
  }

  @Override
  public boolean delete(App stored) {
    return writes.delete(
        apps, Schema.key(AppRow.KEY, stored.id()), AppRow.VERSION, stored.version());
  }
}
