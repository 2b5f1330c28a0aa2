package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Forms.MILLIS;
import static dev.carillon.dynamodb.Forms.NUMBER;
import static dev.carillon.dynamodb.Forms.URGENT;

import dev.carillon.dynamodb.Forms.Urgent;
import dev.carillon.id.PoolId;
import dev.carillon.pool.PoolActivity;
import dev.carillon.runtime.Backoff;
import dev.carillon.wakeup.Wakeup;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * The activity of each pool as an item. Updates change single attributes, because claims add to a
 * number while the plan in the same item changes. The Enhanced Client cannot make such updates.
 */
final class PoolActivities {

  static final String ITEM = "activity";
  private static final String CLAIMED = "c";
  private static final String NEXT = "n";
  private static final String EXAMINED = "e";

  static final TableSchema<PoolId> KEY =
      Schema.ofKey(
          PoolId.class,
          GateItem.GATE,
          PoolId::toString,
          GateItem.ITEM,
          pool -> ITEM,
          (pool, item) -> PoolId.parse(pool));

  /**
   * @param attention the entry in the attention index; null unless the pool is awake
   */
  record Stored(
      PoolId pool,
      long claimed,
      @Nullable Instant nextChoice,
      @Nullable Instant examinedAt,
      @Nullable Urgent attention) {

    PoolActivity activity() {
      return new PoolActivity(pool, claimed, nextChoice, attention != null, examinedAt);
    }
  }

  private static final class Parts extends PoolActivitiesStoredBuilder {}

  static final TableSchema<Stored> SCHEMA =
      Schema.of(Stored.class, Parts.class, Parts::new, Parts::build)
          .flat(KEY, Stored::pool, Parts::pool)
          .optional(CLAIMED, NUMBER, Stored::claimed, Parts::claimed)
          .optional(NEXT, MILLIS, Stored::nextChoice, Parts::nextChoice)
          .optional(EXAMINED, MILLIS, Stored::examinedAt, Parts::examinedAt)
          .optional(AttentionItem.AT, URGENT, Stored::attention, Parts::attention)
          .build();

  private final DynamoDbClient client;
  private final Batches batches;
  private final DynamoDbTable<Item<Stored>> activities;
  private final int attentionShards;

  PoolActivities(
      DynamoDbClient client,
      Batches batches,
      DynamoDbTable<Item<Stored>> activities,
      int attentionShards) {
    this.client = client;
    this.batches = batches;
    this.activities = activities;
    this.attentionShards = attentionShards;
  }

  /** The read is strongly consistent. */
  PoolActivity find(PoolId pool) {
    return read(pool, batches.get(activities, List.of(Schema.key(KEY, pool))));
  }

  private static PoolActivity read(PoolId pool, List<Item<Stored>> items) {
    Stored stored = Items.byKey(items, KEY, Stored::pool).get(pool);
    return stored == null ? PoolActivity.none(pool) : stored.activity();
  }

  /**
   * Stores an activity without claims in the place of one that cannot be read. The pool rests until
   * its next choice is planned.
   *
   * @return whether the activity can be read now
   */
  boolean repair(PoolId pool, Repairs repairs, Writes writes) {
    Item<Stored> none = Item.of(new Stored(pool, 0, null, null, null), SCHEMA);
    return repairs
        .unreadable(activities, Schema.key(KEY, pool))
        .map(stored -> writes.put(activities, none, Repairs.unchanged(stored)).isEmpty())
        .orElse(true);
  }

  /**
   * Adds claims to the number. If an answer was lost, the repeated request adds nothing, unless
   * another update was stored in between.
   */
  PoolActivity claimed(PoolId pool, int jobs) {
    return update(
            pool,
            "SET w = :w ADD c :jobs",
            "attribute_not_exists(w) OR w <> :w",
            Map.of(":jobs", NUMBER.transformFrom((long) jobs)))
        .stored();
  }

  Optional<Instant> planChoice(PoolId pool, Instant now) {
    PoolActivity read = find(pool);
    for (int lost = 0; ; lost++) {
      Optional<Instant> next = read.next(now);
      if (next.isEmpty()) {
        return next;
      }
      Outcome outcome = plan(read, next.get(), now);
      if (outcome.isDone()) {
        return next;
      }
      if (lost == Backoff.MOST_RETRIES) {
        throw new IllegalStateException("The plan of pool " + pool + " changes all the time");
      }
      read = outcome.stored();
    }
  }

  /**
   * If the index has an entry already, the entry stays as it is, which saves the cost of changing
   * it.
   */
  private Outcome plan(PoolActivity read, Instant at, Instant now) {
    Urgent attention = new Urgent(Wakeup.plan(at, now).attentionAt(), 0);
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":next", MILLIS.transformFrom(at));
    values.put(":at", URGENT.transformFrom(attention));
    values.put(":shard", AttentionItem.shard(read.pool(), attentionShards));
    if (read.nextChoice() != null) {
      values.put(":read", MILLIS.transformFrom(read.nextChoice()));
    }
    return update(
        read.pool(),
        "SET w = :w, n = :next, attentionAt = if_not_exists(attentionAt, :at),"
            + " attentionShard = if_not_exists(attentionShard, :shard)",
        read.nextChoice() == null ? "attribute_not_exists(n)" : "n = :read",
        values);
  }

  void rest(PoolActivity before) {
    if (before.nextChoice() != null) {
      Outcome unused =
          update(
              before.pool(),
              "SET w = :w REMOVE attentionAt, attentionShard",
              "n = :read",
              Map.of(":read", MILLIS.transformFrom(before.nextChoice())));
    }
  }

  boolean examine(PoolActivity before, Instant now) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":now", MILLIS.transformFrom(now));
    if (before.examinedAt() != null) {
      values.put(":read", MILLIS.transformFrom(before.examinedAt()));
    }
    String condition = before.examinedAt() == null ? "attribute_not_exists(e)" : "e = :read";
    return update(before.pool(), "SET w = :w, e = :now", condition, values).isDone();
  }

  /**
   * The item after an update, or the unchanged item if the condition of the update did not hold.
   */
  private record Outcome(boolean isDone, PoolActivity stored) {}

  private Outcome update(
      PoolId pool, String changes, String condition, Map<String, AttributeValue> values) {
    AttributeValue token = Writes.newToken();
    Map<String, AttributeValue> all = new HashMap<>(values);
    all.put(":w", token);
    try {
      Map<String, AttributeValue> stored =
          client
              .updateItem(
                  it ->
                      it.tableName(activities.tableName())
                          .key(KEY.itemToMap(pool, true))
                          .updateExpression(changes)
                          .conditionExpression(condition)
                          .expressionAttributeValues(all)
                          .returnValues(ReturnValue.ALL_NEW)
                          .returnValuesOnConditionCheckFailure(
                              ReturnValuesOnConditionCheckFailure.ALL_OLD))
              .attributes();
      return new Outcome(true, read(pool, List.of(new Item<>(stored, SCHEMA))));
    } catch (ConditionalCheckFailedException failure) {
      Map<String, AttributeValue> stored = failure.hasItem() ? failure.item() : Map.of();
      List<Item<Stored>> items = stored.isEmpty() ? List.of() : List.of(new Item<>(stored, SCHEMA));
      return new Outcome(token.equals(stored.get(Writes.TOKEN)), read(pool, items));
    }
  }
}
