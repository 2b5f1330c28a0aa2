package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.StatusRow.AUDIT;
import static dev.carillon.dynamodb.StatusRow.PROGRESS;
import static dev.carillon.dynamodb.StatusRow.SHARDS;
import static java.util.Objects.requireNonNull;

import dev.carillon.master.StatusStore;
import dev.carillon.runtime.Fanout;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The master's status on DynamoDB: an item for each of its parts, which change alone. */
public final class DynamoStatus implements StatusStore {

  private final Writes writes;
  private final Batches batches;
  private final DynamoDbTable<Row<StatusRow>> parts;

  public DynamoStatus(DynamoDbClient client, Tables tables, Fanout fanout) {
    Database database = new Database(client);
    this.writes = database.writes();
    this.batches = database.batches(fanout);
    this.parts = database.table(tables.status(), () -> StatusRow.SCHEMA);
  }

  private Map<String, StatusRow> parts(String... ids) {
    List<Key> keys =
        List.of(ids).stream().map(id -> Key.builder().partitionValue(id).build()).toList();
    Map<String, StatusRow> found = new HashMap<>();
    for (Row<StatusRow> row : batches.get(parts, keys)) {
      StatusRow part = row.record();
      found.put(part.id(), part);
    }
    return found;
  }

  @Override
  public Optional<Status> read() {
    Map<String, StatusRow> found = parts(PROGRESS, AUDIT);
    StatusRow audit = found.getOrDefault(AUDIT, StatusRow.audit(null, null));
    return Optional.ofNullable(found.get(PROGRESS))
        .map(part -> requireNonNull(part.lastProcessedTime()))
        .map(processed -> new Status(processed, audit.auditedAt(), audit.auditCursor()));
  }

  @Override
  public Shards shards(Shards configured) {
    StatusRow found = parts(SHARDS).get(SHARDS);
    Shards stored = found == null ? new Shards(0, 0) : found.shards();
    Shards raised = stored.raisedTo(configured);
    while (!stored.covers(raised)) {
      Optional<Row<StatusRow>> other =
          writes.put(parts, Row.of(StatusRow.of(raised), StatusRow.SCHEMA), unless(raised));
      stored = other.map(row -> row.record().shards()).orElse(raised);
      raised = stored.raisedTo(raised);
    }
    return raised;
  }

  /** That nobody has stored more of either meanwhile. */
  private static Expression unless(Shards shards) {
    return Expression.builder()
        .expression("attribute_not_exists(#t) OR (#t <= :t AND #a <= :a)")
        .putExpressionName("#t", "timerShards")
        .putExpressionName("#a", "attentionShards")
        .putExpressionValue(":t", Forms.COUNT.transformFrom(shards.timers()))
        .putExpressionValue(":a", Forms.COUNT.transformFrom(shards.attention()))
        .build();
  }

  @Override
  public void advance(Instant lastProcessedTime) {
    Expression earlier =
        Expression.builder()
            .expression("attribute_not_exists(#last) OR #last < :last")
            .putExpressionName("#last", "lastProcessedTime")
            .putExpressionValue(":last", Forms.MILLIS.transformFrom(lastProcessedTime))
            .build();
    writes.put(parts, Row.of(StatusRow.progress(lastProcessedTime), StatusRow.SCHEMA), earlier);
  }

  @Override
  public boolean saveAudit(
      Status before, @Nullable Instant auditedAt, @Nullable String auditCursor) {
    Row<StatusRow> old =
        Row.of(StatusRow.audit(before.auditedAt(), before.auditCursor()), StatusRow.SCHEMA);
    Row<StatusRow> row = Row.of(StatusRow.audit(auditedAt, auditCursor), StatusRow.SCHEMA);
    Expression unchanged =
        Expression.join(
            " AND ",
            unchanged("auditedAt", old.item().get("auditedAt")),
            unchanged("auditCursor", old.item().get("auditCursor")));
    return writes.put(parts, row, unchanged).isEmpty();
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
