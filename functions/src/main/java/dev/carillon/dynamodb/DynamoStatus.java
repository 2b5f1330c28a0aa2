package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.StatusItem.AUDIT;
import static dev.carillon.dynamodb.StatusItem.PROGRESS;
import static dev.carillon.dynamodb.StatusItem.SHARDS;
import static java.util.Objects.requireNonNull;

import dev.carillon.id.UnreadableItems;
import dev.carillon.master.AuditProgress;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The master's status on DynamoDB: an item for each part that changes independently. */
public final class DynamoStatus implements StatusStore {

  private final Writes writes;
  private static final String ID = "id";

  private final Batches batches;
  private final Repairs repairs;
  private final DynamoDbTable<Item<StatusItem>> parts;

  public DynamoStatus(DynamoDbClient client, Tables tables, Fanout fanout) {
    Database database = new Database(client);
    this.writes = database.writes();
    this.batches = database.batches(fanout);
    this.repairs = new Repairs(batches);
    this.parts = database.table(tables.status(), () -> StatusItem.SCHEMA);
  }

  /**
   * @throws UnreadableItems if some parts cannot be read; it names them
   */
  private Map<String, StatusItem> parts(Collection<String> ids) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Map<String, StatusItem> found = new HashMap<>();
    Items.all(
            batches.get(parts, ids.stream().map(DynamoStatus::key).toList()),
            (damaged, first) ->
                new UnreadableItems(
                    damaged.stream().map(item -> item.text(ID)).collect(Collectors.toSet()), first))
        .forEach(part -> found.put(part.id(), part));
    return found;
  }

  private static Key key(String id) {
    return Key.builder().partitionValue(id).build();
  }

  /** Whether the part could not be read, and was replaced. */
  private boolean replaces(Item<StatusItem> part) {
    return repairs
        .unreadable(parts, key(part.text(ID)))
        .filter(stored -> writes.put(parts, part, Repairs.unchanged(stored)).isEmpty())
        .isPresent();
  }

  @Override
  public Optional<Status> read() {
    Map<String, StatusItem> found =
        UnreadableItems.readable(List.of(PROGRESS, AUDIT), new HashSet<>(), this::parts);
    StatusItem audit = found.get(AUDIT);
    return Optional.ofNullable(found.get(PROGRESS))
        .map(part -> requireNonNull(part.lastProcessedTime()))
        .map(processed -> new Status(processed, audit == null ? null : audit.audit()));
  }

  @Override
  public Optional<ShardPlan> shards() {
    return Optional.ofNullable(parts(List.of(SHARDS)).get(SHARDS)).map(StatusItem::shards);
  }

  @Override
  public boolean saveShards(@Nullable ShardPlan before, ShardPlan after) {
    Item<StatusItem> item = Item.of(StatusItem.of(after), StatusItem.SCHEMA);
    return writes.put(parts, item, unchanged(before)).isEmpty()
        || (before == null && replaces(item));
  }

  private static Expression unchanged(@Nullable ShardPlan before) {
    if (before == null) {
      return Writes.absent(ID);
    }
    Map<String, AttributeValue> old =
        Item.of(StatusItem.of(before), StatusItem.SCHEMA).attributes();
    return Expression.join(
        " AND ",
        Expression.join(
            " AND ",
            unchanged("timerShards", old.get("timerShards")),
            unchanged("attentionShards", old.get("attentionShards"))),
        unchanged("configuredSince", old.get("configuredSince")));
  }

  @Override
  public void advance(Instant lastProcessedTime) {
    Expression earlier =
        Expression.builder()
            .expression("attribute_not_exists(#last) OR #last < :last")
            .putExpressionName("#last", "lastProcessedTime")
            .putExpressionValue(":last", Forms.MILLIS.transformFrom(lastProcessedTime))
            .build();
    Item<StatusItem> item = Item.of(StatusItem.progress(lastProcessedTime), StatusItem.SCHEMA);
    if (writes.put(parts, item, earlier).isPresent()) {
      boolean unused = replaces(item);
    }
  }

  @Override
  public boolean saveAudit(Status before, AuditProgress after) {
    Map<String, AttributeValue> old =
        Item.of(StatusItem.of(before.audit()), StatusItem.SCHEMA).attributes();
    Item<StatusItem> item = Item.of(StatusItem.of(after), StatusItem.SCHEMA);
    Expression unchanged = unchanged("auditParts", old.get("auditParts"));
    Expression whole =
        before.audit() == null
            ? unchanged
            : Expression.join(" AND ", unchanged, unchanged("auditedAt", old.get("auditedAt")));
    return writes.put(parts, item, whole).isEmpty() || (before.audit() == null && replaces(item));
  }

  private static Expression unchanged(String name, @Nullable AttributeValue value) {
    Expression.Builder unchanged = Expression.builder().putExpressionName("#" + name, name);
    return value == null
        ? unchanged.expression("attribute_not_exists(#" + name + ")").build()
        : unchanged
            .expression("#" + name + " = :" + name)
            .putExpressionValue(":" + name, value)
            .build();
  }
}
