package dev.carillon.dynamodb;

import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds items that cannot be read, so that a caller can replace them. */
final class Repairs {

  private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);

  private final Batches batches;

  Repairs(Batches batches) {
    this.batches = batches;
  }

  /** The item if it exists and cannot be read. */
  <T> Optional<Item<T>> unreadable(DynamoDbTable<Item<T>> table, Key key) {
    return batches.get(table, List.of(key)).stream().filter(item -> !isReadable(item)).findFirst();
  }

  private static boolean isReadable(Item<?> item) {
    try {
      return item.record() != null;
    } catch (RuntimeException damage) {
      LOG.warn(
          "the item {} cannot be read; the request replaces it",
          Items.keyOf(item.attributes()),
          damage);
      return false;
    }
  }

  /**
   * The condition that the item was not written since it was read: each write gives it another
   * token.
   */
  static Expression unchanged(Item<?> stored) {
    AttributeValue token = stored.attributes().get(Writes.TOKEN);
    return token == null ? Writes.absent(Writes.TOKEN) : Writes.equal(Writes.TOKEN, token);
  }
}
