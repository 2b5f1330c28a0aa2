package dev.carillon.dynamodb;

import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.Fanout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Reads and unconditional writes of many items, complete or failing. */
final class Batches {

  private static final int MOST_WRITES = 25;
  private static final int MOST_READS = 100;

  private final DynamoDbClient client;
  private final Fanout fanout;

  Batches(DynamoDbClient client, Fanout fanout) {
    this.client = client;
    this.fanout = fanout;
  }

  /** Puts all of them; of those with one key the last. */
  void put(String table, List<Map<String, AttributeValue>> items, List<String> keyNames) {
    Map<Map<String, AttributeValue>, Map<String, AttributeValue>> byKey = new LinkedHashMap<>();
    items.forEach(item -> byKey.put(key(item, keyNames), item));
    write(
        table,
        byKey.values().stream()
            .map(item -> WriteRequest.builder().putRequest(put -> put.item(item)).build())
            .toList());
  }

  void delete(String table, Collection<Map<String, AttributeValue>> keys) {
    write(
        table,
        new LinkedHashSet<>(keys)
            .stream()
                .map(key -> WriteRequest.builder().deleteRequest(gone -> gone.key(key)).build())
                .toList());
  }

  /** Consistent; those that do not exist are left out. */
  List<Map<String, AttributeValue>> get(
      String table, Collection<Map<String, AttributeValue>> keys) {
    return get(table, keys, true);
  }

  /** As they are or were a moment ago, at half the price; those that did not exist are left out. */
  List<Map<String, AttributeValue>> getRecent(
      String table, Collection<Map<String, AttributeValue>> keys) {
    return get(table, keys, false);
  }

  private List<Map<String, AttributeValue>> get(
      String table, Collection<Map<String, AttributeValue>> keys, boolean consistent) {
    List<Map<String, AttributeValue>> distinct = List.copyOf(new LinkedHashSet<>(keys));
    List<Map<String, AttributeValue>> found = new ArrayList<>();
    fanout
        .map(chunks(distinct, MOST_READS), chunk -> getChunk(table, chunk, consistent))
        .forEach(found::addAll);
    return found;
  }

  private void write(String table, List<WriteRequest> requests) {
    fanout.forEach(chunks(requests, MOST_WRITES), chunk -> writeChunk(table, chunk));
  }

  private void writeChunk(String table, List<WriteRequest> chunk) {
    Map<String, List<WriteRequest>> rest = Map.of(table, chunk);
    for (int retry = 0; ; retry++) {
      Map<String, List<WriteRequest>> sent = rest;
      BatchWriteItemResponse answer = client.batchWriteItem(write -> write.requestItems(sent));
      rest = answer.unprocessedItems();
      if (rest.isEmpty()) {
        return;
      }
      pauseBeforeRetry(retry, table);
    }
  }

  private List<Map<String, AttributeValue>> getChunk(
      String table, List<Map<String, AttributeValue>> keys, boolean consistent) {
    List<Map<String, AttributeValue>> found = new ArrayList<>();
    Map<String, KeysAndAttributes> rest =
        Map.of(table, KeysAndAttributes.builder().keys(keys).consistentRead(consistent).build());
    for (int retry = 0; ; retry++) {
      BatchGetItemResponse answer =
          client.batchGetItem(BatchGetItemRequest.builder().requestItems(rest).build());
      found.addAll(answer.responses().getOrDefault(table, List.of()));
      rest = answer.unprocessedKeys();
      if (rest.isEmpty()) {
        return found;
      }
      pauseBeforeRetry(retry, table);
    }
  }

  private static void pauseBeforeRetry(int retry, String table) {
    if (retry == Backoff.MOST_RETRIES) {
      throw new IllegalStateException("table " + table + " has not processed a whole batch");
    }
    Backoff.pause(retry);
  }

  private static Map<String, AttributeValue> key(
      Map<String, AttributeValue> item, List<String> names) {
    Map<String, AttributeValue> key = new HashMap<>();
    names.forEach(name -> key.put(name, item.get(name)));
    return key;
  }

  private static <T> List<List<T>> chunks(List<T> all, int size) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      chunks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return chunks;
  }
}
