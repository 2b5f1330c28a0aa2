package dev.carillon.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure.ALL_OLD;

import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.Randomness;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactDeleteItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Conditional writes. Each item carries a new token. If a write was stored but its answer was lost,
 * the condition of the client's retry fails, and the token in the stored item shows that the first
 * try succeeded.
 */
final class Writes {

  static final String TOKEN = "w";
  private static final String CONDITION_FAILED = "ConditionalCheckFailed";

  private final DynamoDbEnhancedClient client;

  Writes(DynamoDbEnhancedClient client) {
    this.client = client;
  }

  /** A write of a transaction. */
  interface Write extends Consumer<TransactWriteItemsEnhancedRequest.Builder> {}

  /** A conditional write that decides whether a transaction wins its race. */
  record Guarded(Write write, AttributeValue token) {}

  /** The condition that no item has the key. */
  static Expression absent(String keyName) {
    return Expression.builder()
        .expression("attribute_not_exists(#key)")
        .putExpressionName("#key", keyName)
        .build();
  }

  private static Expression present(String keyName) {
    return Expression.builder()
        .expression("attribute_exists(#key)")
        .putExpressionName("#key", keyName)
        .build();
  }

  static Expression equal(String name, AttributeValue value) {
    return Expression.builder()
        .expression("#it = :it")
        .putExpressionName("#it", name)
        .putExpressionValue(":it", value)
        .build();
  }

  /** The condition that this version is still stored. */
  static Expression unchanged(String name, long version) {
    return equal(name, Forms.NUMBER.transformFrom(version));
  }

  /**
   * Puts the item if the condition holds.
   *
   * @return empty if the item was stored; otherwise the item that is stored instead, which is empty
   *     if there is none
   */
  <T> Optional<Item<T>> put(DynamoDbTable<Item<T>> table, Item<T> item, Expression condition) {
    AttributeValue token = newToken();
    Item<T> tagged = item.with(TOKEN, token);
    return retrying(
        () -> {
          try {
            table.putItem(
                put ->
                    put.item(tagged)
                        .conditionExpression(condition)
                        .returnValuesOnConditionCheckFailure(ALL_OLD));
            return Optional.empty();
          } catch (ConditionalCheckFailedException failure) {
            return lost(failure.hasItem() ? failure.item() : Map.of(), token)
                .map(attributes -> new Item<>(attributes, item.schema()));
          }
        });
  }

  /**
   * Deletes the item if it has the version.
   *
   * @return false if another version is stored; true if the item is absent, because an earlier try
   *     whose answer was lost might have deleted it
   */
  <T> boolean delete(DynamoDbTable<Item<T>> table, Key key, String versionName, long version) {
    String keyName = table.tableSchema().tableMetadata().primaryPartitionKey();
    Expression condition = absent(keyName).or(unchanged(versionName, version));
    return retrying(
        () -> {
          try {
            table.deleteItem(it -> it.key(key).conditionExpression(condition));
            return true;
          } catch (ConditionalCheckFailedException changed) {
            return false;
          }
        });
  }

  /** The conditional put that decides whether a transaction wins its race. */
  <T> Guarded guarded(DynamoDbTable<Item<T>> table, Item<T> item, Expression condition) {
    AttributeValue token = newToken();
    return new Guarded(putting(table, item.with(TOKEN, token), condition), token);
  }

  /** The deletion of an item that exists. It also decides whether a transaction wins its race. */
  <T> Guarded guardedDeletion(DynamoDbTable<Item<T>> table, Key key) {
    TransactDeleteItemEnhancedRequest delete =
        TransactDeleteItemEnhancedRequest.builder()
            .key(key)
            .conditionExpression(present(table.tableSchema().tableMetadata().primaryPartitionKey()))
            .build();
    return new Guarded(all -> all.addDeleteItem(table, delete), newToken());
  }

  static <T> Write putting(DynamoDbTable<Item<T>> table, Item<T> item, Expression condition) {
    TransactPutItemEnhancedRequest<Item<T>> put =
        TransactPutItemEnhancedRequest.builder(table.tableSchema().itemType().rawClass())
            .item(item)
            .conditionExpression(condition)
            .returnValuesOnConditionCheckFailure(ALL_OLD)
            .build();
    return all -> all.addPutItem(table, put);
  }

  static <T> Write putting(DynamoDbTable<Item<T>> table, Item<T> item) {
    return all -> all.addPutItem(table, item);
  }

  /** Adds the item's numbers to those that are stored. */
  static <T> Write adding(DynamoDbTable<Item<T>> table, Item<T> item) {
    return all -> all.addUpdateItem(table, item);
  }

  static <T> Write deleting(DynamoDbTable<Item<T>> table, Key key) {
    return all -> all.addDeleteItem(table, key);
  }

  /**
   * Stores all items in one transaction.
   *
   * @param guard the write that decides whether the transaction wins its race
   * @return false if the guard's condition does not hold; nothing was stored
   * @throws IllegalStateException if the guard's condition holds, but that of another write does
   *     not
   */
  boolean transact(Guarded guard, List<Write> others) {
    return transact(List.of(guard), others).isEmpty();
  }

  /**
   * Stores all items in one transaction.
   *
   * @param guards the writes that decide whether the transaction wins its race
   * @return empty if all was stored; otherwise nothing was stored, and the map holds the stored
   *     items by the index of the guard whose condition does not hold
   * @throws IllegalStateException if the conditions of all guards hold, but that of another write
   *     does not
   */
  Map<Integer, Map<String, AttributeValue>> transact(List<Guarded> guards, List<Write> others) {
    TransactWriteItemsEnhancedRequest.Builder all =
        TransactWriteItemsEnhancedRequest.builder()
            .clientRequestToken(Randomness.uuid().toString());
    guards.forEach(guard -> guard.write().accept(all));
    others.forEach(write -> write.accept(all));
    TransactWriteItemsEnhancedRequest request = all.build();
    return retrying(
        () -> {
          try {
            client.transactWriteItems(request);
            return Map.of();
          } catch (TransactionCanceledException cancellation) {
            return lost(cancellation, guards);
          }
        });
  }

  /**
   * The stored items of the guards that lost; empty if everything was stored. A transaction stores
   * everything or nothing. So if one stored item has the token of this transaction, everything was
   * stored.
   */
  private static Map<Integer, Map<String, AttributeValue>> lost(
      TransactionCanceledException cancellation, List<Guarded> guards) {
    List<CancellationReason> reasons = cancellation.cancellationReasons();
    Map<Integer, Map<String, AttributeValue>> lost = new TreeMap<>();
    for (int i = 0; i < Math.min(guards.size(), reasons.size()); i++) {
      CancellationReason reason = reasons.get(i);
      if (CONDITION_FAILED.equals(reason.code())) {
        Map<String, AttributeValue> stored = reason.hasItem() ? reason.item() : Map.of();
        if (lost(stored, guards.get(i).token()).isEmpty()) {
          return Map.of();
        }
        lost.put(i, stored);
      }
    }
    if (!lost.isEmpty()) {
      return lost;
    }
    if (reasons.stream().anyMatch(reason -> CONDITION_FAILED.equals(reason.code()))) {
      throw new IllegalStateException(
          "A transaction failed because an item that must be absent is stored", cancellation);
    }
    throw cancellation;
  }

  private static Optional<Map<String, AttributeValue>> lost(
      Map<String, AttributeValue> stored, AttributeValue token) {
    return token.equals(stored.get(TOKEN)) ? Optional.empty() : Optional.of(stored);
  }

  /**
   * Repeats a write that DynamoDB refused because of another transaction or because of the load.
   *
   * @throws ContentionException if the last try met transactions of other writers
   */
  private static <T> T retrying(Supplier<T> write) {
    for (int retry = 0; ; retry++) {
      try {
        return write.get();
      } catch (TransactionConflictException conflict) {
        pauseOrThrow(retry, new ContentionException(conflict));
      } catch (TransactionInProgressException ownEarlierTry) {
        pauseOrThrow(retry, ownEarlierTry);
      } catch (TransactionCanceledException cancellation) {
        if (!Cancellations.isRetryable(cancellation)) {
          throw cancellation;
        }
        pauseOrThrow(
            retry,
            Cancellations.isThrottled(cancellation)
                ? cancellation
                : new ContentionException(cancellation));
      }
    }
  }

  private static void pauseOrThrow(int retry, RuntimeException refusal) {
    if (retry == Backoff.MOST_RETRIES) {
      throw refusal;
    }
    Backoff.pause(retry);
  }

  static AttributeValue newToken() {
    UUID random = Randomness.uuid();
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array();
    return AttributeValue.fromB(SdkBytes.fromByteArray(bytes));
  }
}
