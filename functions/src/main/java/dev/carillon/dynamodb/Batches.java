package dev.carillon.dynamodb;

import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.Fanout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchGetResultPage;
import software.amazon.awssdk.enhanced.dynamodb.model.BatchWriteResult;
import software.amazon.awssdk.enhanced.dynamodb.model.ReadBatch;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;

/** Batched reads and unconditional writes. A call processes every item or throws. */
final class Batches {

  private static final int MOST_WRITES = 25;
  private static final int MOST_READS = 100;

  private final DynamoDbEnhancedClient client;
  private final Fanout fanout;

  Batches(DynamoDbEnhancedClient client, Fanout fanout) {
    this.client = client;
    this.fanout = fanout;
  }

  /** Puts all items. If several have the same key, the last one is stored. */
  <T> void put(DynamoDbTable<Item<T>> table, List<Item<T>> items) {
    Map<Key, Item<T>> byKey = new LinkedHashMap<>();
    items.forEach(item -> byKey.put(table.keyFrom(item), item));
    fanout.forEach(
        chunks(List.copyOf(byKey.values()), MOST_WRITES), chunk -> write(table, chunk, List.of()));
  }

  <T> void delete(DynamoDbTable<Item<T>> table, Collection<Key> keys) {
    fanout.forEach(
        chunks(List.copyOf(new LinkedHashSet<>(keys)), MOST_WRITES),
        chunk -> write(table, List.of(), chunk));
  }

  /** Reads consistently. Keys without an item are left out. */
  <T> List<Item<T>> get(DynamoDbTable<Item<T>> table, Collection<Key> keys) {
    return get(table, keys, true);
  }

  /** Reads eventually consistent data at half the price. Keys without an item are left out. */
  <T> List<Item<T>> getRecent(DynamoDbTable<Item<T>> table, Collection<Key> keys) {
    return get(table, keys, false);
  }

  private <T> List<Item<T>> get(
      DynamoDbTable<Item<T>> table, Collection<Key> keys, boolean consistent) {
    List<Key> distinct = List.copyOf(new LinkedHashSet<>(keys));
    List<Item<T>> found = new ArrayList<>();
    fanout
        .map(chunks(distinct, MOST_READS), chunk -> getChunk(table, chunk, consistent))
        .forEach(found::addAll);
    return found;
  }

  private <T> void write(DynamoDbTable<Item<T>> table, List<Item<T>> puts, List<Key> deletes) {
    List<Item<T>> putsLeft = puts;
    List<Key> deletesLeft = deletes;
    for (int retry = 0; ; retry++) {
      WriteBatch.Builder<Item<T>> batch =
          WriteBatch.builder(table.tableSchema().itemType().rawClass()).mappedTableResource(table);
      putsLeft.forEach(batch::addPutItem);
      deletesLeft.forEach(batch::addDeleteItem);
      BatchWriteResult result = client.batchWriteItem(it -> it.writeBatches(batch.build()));
      putsLeft = result.unprocessedPutItemsForTable(table);
      deletesLeft = result.unprocessedDeleteItemsForTable(table);
      if (putsLeft.isEmpty() && deletesLeft.isEmpty()) {
        return;
      }
      pauseBeforeRetry(retry, table.tableName());
    }
  }

  /**
   * Reads one chunk of keys. It uses only the first page, because the client's iterator would retry
   * unprocessed keys without a pause.
   */
  private <T> List<Item<T>> getChunk(
      DynamoDbTable<Item<T>> table, List<Key> keys, boolean consistent) {
    List<Item<T>> found = new ArrayList<>();
    List<Key> rest = keys;
    for (int retry = 0; ; retry++) {
      ReadBatch.Builder<Item<T>> batch =
          ReadBatch.builder(table.tableSchema().itemType().rawClass()).mappedTableResource(table);
      rest.forEach(key -> batch.addGetItem(it -> it.key(key).consistentRead(consistent)));
      BatchGetResultPage page =
          client.batchGetItem(it -> it.readBatches(batch.build())).iterator().next();
      found.addAll(page.resultsForTable(table));
      rest = page.unprocessedKeysForTable(table);
      if (rest.isEmpty()) {
        return found;
      }
      pauseBeforeRetry(retry, table.tableName());
    }
  }

  private static void pauseBeforeRetry(int retry, String table) {
    if (retry == Backoff.MOST_RETRIES) {
      throw new IllegalStateException(
          "DynamoDB left items of table " + table + " unprocessed after all retries");
    }
    Backoff.pause(retry);
  }

  private static <T> List<List<T>> chunks(List<T> all, int size) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      chunks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return chunks;
  }
}
