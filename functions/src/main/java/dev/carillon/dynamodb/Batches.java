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

/** Reads and unconditional writes of many items, complete or failing. */
final class Batches {

  private static final int MOST_WRITES = 25;
  private static final int MOST_READS = 100;

  private final DynamoDbEnhancedClient client;
  private final Fanout fanout;

  Batches(DynamoDbEnhancedClient client, Fanout fanout) {
    this.client = client;
    this.fanout = fanout;
  }

  /** Puts all of them; of those with one key the last. */
  <T> void put(DynamoDbTable<Row<T>> table, List<Row<T>> rows) {
    Map<Key, Row<T>> byKey = new LinkedHashMap<>();
    rows.forEach(row -> byKey.put(table.keyFrom(row), row));
    fanout.forEach(
        chunks(List.copyOf(byKey.values()), MOST_WRITES), chunk -> write(table, chunk, List.of()));
  }

  <T> void delete(DynamoDbTable<Row<T>> table, Collection<Key> keys) {
    fanout.forEach(
        chunks(List.copyOf(new LinkedHashSet<>(keys)), MOST_WRITES),
        chunk -> write(table, List.of(), chunk));
  }

  /** Consistent; those that do not exist are left out. */
  <T> List<Row<T>> get(DynamoDbTable<Row<T>> table, Collection<Key> keys) {
    return get(table, keys, true);
  }

  /** As they are or were a moment ago, at half the price; those that did not exist are left out. */
  <T> List<Row<T>> getRecent(DynamoDbTable<Row<T>> table, Collection<Key> keys) {
    return get(table, keys, false);
  }

  private <T> List<Row<T>> get(
      DynamoDbTable<Row<T>> table, Collection<Key> keys, boolean consistent) {
    List<Key> distinct = List.copyOf(new LinkedHashSet<>(keys));
    List<Row<T>> found = new ArrayList<>();
    fanout
        .map(chunks(distinct, MOST_READS), chunk -> getChunk(table, chunk, consistent))
        .forEach(found::addAll);
    return found;
  }

  private <T> void write(DynamoDbTable<Row<T>> table, List<Row<T>> puts, List<Key> deletes) {
    List<Row<T>> putsLeft = puts;
    List<Key> deletesLeft = deletes;
    for (int retry = 0; ; retry++) {
      WriteBatch.Builder<Row<T>> batch =
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

  /** Only first pages: for what is left the client's iterator would ask again without a pause. */
  private <T> List<Row<T>> getChunk(
      DynamoDbTable<Row<T>> table, List<Key> keys, boolean consistent) {
    List<Row<T>> found = new ArrayList<>();
    List<Key> rest = keys;
    for (int retry = 0; ; retry++) {
      ReadBatch.Builder<Row<T>> batch =
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
      throw new IllegalStateException("table " + table + " has not processed a whole batch");
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
