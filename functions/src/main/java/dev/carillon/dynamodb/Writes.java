package dev.carillon.dynamodb;

import static dev.carillon.dynamodb.Values.bytes;

import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.Randomness;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Conditional writes. Each carries a token of its own: when a write was stored but its answer was
 * lost, the client's retry fails on its own success, which the token in the stored item tells.
 */
final class Writes {

  private static final String TOKEN = "w";
  private static final String CONDITION_FAILED = "ConditionalCheckFailed";

  private final DynamoDbClient client;

  Writes(DynamoDbClient client) {
    this.client = client;
  }

  /** What must hold for a write, with the names and values that its expression uses. */
  record Condition(
      String expression, Map<String, String> names, Map<String, AttributeValue> values) {

    /** That no item has the key. */
    static Condition absent(String keyName) {
      return new Condition("attribute_not_exists(#key)", Map.of("#key", keyName), Map.of());
    }

    static Condition equal(String name, AttributeValue value) {
      return new Condition("#it = :it", Map.of("#it", name), Map.of(":it", value));
    }
  }

  /** A write of a transaction that is refused if its condition does not hold. */
  record Guarded(TransactWriteItem write, AttributeValue token) {}

  /**
   * Puts the item if the condition holds.
   *
   * @return empty if it was stored, else what is stored instead (an empty item: nothing)
   */
  Optional<Map<String, AttributeValue>> put(
      String table, Map<String, AttributeValue> item, Condition condition) {
    AttributeValue token = newToken();
    PutItemRequest.Builder request =
        PutItemRequest.builder()
            .tableName(table)
            .item(with(item, token))
            .conditionExpression(condition.expression())
            .expressionAttributeNames(condition.names())
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!condition.values().isEmpty()) {
      request.expressionAttributeValues(condition.values());
    }
    PutItemRequest put = request.build();
    return retrying(
        () -> {
          try {
            client.putItem(put);
            return Optional.empty();
          } catch (ConditionalCheckFailedException failure) {
            return lost(failure.hasItem() ? failure.item() : Map.of(), token);
          }
        });
  }

  /**
   * Deletes the item if the condition holds.
   *
   * @return false if another one is stored; one that is gone is as good as deleted, also because an
   *     earlier try may have done it whose answer was lost
   */
  boolean delete(String table, Map<String, AttributeValue> key, Condition condition) {
    DeleteItemRequest request =
        DeleteItemRequest.builder()
            .tableName(table)
            .key(key)
            .conditionExpression(condition.expression())
            .expressionAttributeNames(condition.names())
            .expressionAttributeValues(condition.values())
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return retrying(
        () -> {
          try {
            client.deleteItem(request);
            return true;
          } catch (ConditionalCheckFailedException failure) {
            return !failure.hasItem() || failure.item().isEmpty();
          }
        });
  }

  /** The conditional put that decides a transaction. */
  Guarded guarded(String table, Map<String, AttributeValue> item, Condition condition) {
    AttributeValue token = newToken();
    TransactWriteItem write =
        TransactWriteItem.builder()
            .put(
                put ->
                    put.tableName(table)
                        .item(with(item, token))
                        .conditionExpression(condition.expression())
                        .expressionAttributeNames(condition.names())
                        .expressionAttributeValues(
                            condition.values().isEmpty() ? null : condition.values())
                        .returnValuesOnConditionCheckFailure(
                            ReturnValuesOnConditionCheckFailure.ALL_OLD))
            .build();
    return new Guarded(write, token);
  }

  /**
   * Stores all in one transaction.
   *
   * @param guard decides whether the race is won
   * @return false if the guard's condition does not hold: nothing was stored
   * @throws IllegalStateException if only another one's condition does not hold
   */
  boolean transact(Guarded guard, List<TransactWriteItem> others) {
    return transact(List.of(guard), others).isEmpty();
  }

  /**
   * Stores all in one transaction.
   *
   * @param guards decide whether the race is won
   * @return what is stored instead, by the place of its guard, if a condition of one does not hold:
   *     nothing was stored; empty if all was
   * @throws IllegalStateException if only another one's condition does not hold
   */
  Map<Integer, Map<String, AttributeValue>> transact(
      List<Guarded> guards, List<TransactWriteItem> others) {
    List<TransactWriteItem> all = new ArrayList<>();
    for (Guarded guard : guards) {
      all.add(guard.write());
    }
    all.addAll(others);
    String idempotencyToken = Randomness.uuid().toString();
    return retrying(
        () -> {
          try {
            client.transactWriteItems(
                t -> t.transactItems(all).clientRequestToken(idempotencyToken));
            return Map.of();
          } catch (TransactionCanceledException cancellation) {
            return lost(cancellation, guards);
          }
        });
  }

  /** All is stored or nothing, so one's own token in any item tells that all is. */
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
          "a transaction met an item that cannot be there", cancellation);
    }
    throw cancellation;
  }

  private static Optional<Map<String, AttributeValue>> lost(
      Map<String, AttributeValue> stored, AttributeValue token) {
    return token.equals(stored.get(TOKEN)) ? Optional.empty() : Optional.of(stored);
  }

  private static <T> T retrying(Supplier<T> write) {
    for (int retry = 0; ; retry++) {
      try {
        return write.get();
      } catch (TransactionConflictException | TransactionInProgressException conflict) {
        pauseOrThrow(retry, conflict);
      } catch (TransactionCanceledException cancellation) {
        if (!Cancellations.mayPass(cancellation)) {
          throw cancellation;
        }
        pauseOrThrow(retry, cancellation);
      }
    }
  }

  private static void pauseOrThrow(int retry, RuntimeException refusal) {
    if (retry == Backoff.MOST_RETRIES) {
      throw refusal;
    }
    Backoff.pause(retry);
  }

  private static AttributeValue newToken() {
    UUID random = Randomness.uuid();
    return bytes(
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array());
  }

  private static Map<String, AttributeValue> with(
      Map<String, AttributeValue> item, AttributeValue token) {
    Map<String, AttributeValue> tagged = new HashMap<>(item);
    tagged.put(TOKEN, token);
    return tagged;
  }
}
