package dev.carillon.bench.harness;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Sends the puts of transactions as unconditional batch writes, and sends their updates one at a
 * time. In tables without another writer, this stores the same items in a fraction of the time.
 */
final class BulkWriter implements DynamoDbClient {

  private static final int MOST_WRITES = 25;
  private static final int THREADS = 4;
  private static final int MOST_WAITING = 64;
  private static final long LONGEST_END_MINUTES = 10;

  private final DynamoDbClient client;
  private final AtomicReference<RuntimeException> fault = new AtomicReference<>();
  private final ThreadPoolExecutor writers =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          new ThreadPoolExecutor.CallerRunsPolicy());
  private List<TransactWriteItem> waiting = new ArrayList<>();

  BulkWriter(DynamoDbClient client) {
    this.client = client;
  }

  @Override
  public synchronized TransactWriteItemsResponse transactWriteItems(
      TransactWriteItemsRequest request) {
    if (waiting.size() + request.transactItems().size() > MOST_WRITES) {
      flush();
    }
    waiting.addAll(request.transactItems());
    return TransactWriteItemsResponse.builder().build();
  }

  private void flush() {
    List<TransactWriteItem> batch = waiting;
    waiting = new ArrayList<>();
    writers.execute(() -> write(batch));
  }

  private void write(List<TransactWriteItem> batch) {
    try {
      Map<String, List<WriteRequest>> rest = new HashMap<>();
      for (TransactWriteItem item : batch) {
        Put put = item.put();
        if (put == null) {
          update(item.update());
        } else {
          rest.computeIfAbsent(put.tableName(), any -> new ArrayList<>())
              .add(WriteRequest.builder().putRequest(it -> it.item(put.item())).build());
        }
      }
      while (!rest.isEmpty()) {
        Map<String, List<WriteRequest>> sent = rest;
        rest = client.batchWriteItem(write -> write.requestItems(sent)).unprocessedItems();
      }
    } catch (RuntimeException failure) {
      fault.compareAndSet(null, failure);
    }
  }

  /**
   * Sends an update as an update, because a put would replace the whole item. The demands on gates
   * are only one attribute of their namespace's item.
   */
  private void update(Update update) {
    client.updateItem(
        it ->
            it.tableName(update.tableName())
                .key(update.key())
                .updateExpression(update.updateExpression())
                .expressionAttributeNames(update.expressionAttributeNames())
                .expressionAttributeValues(update.expressionAttributeValues()));
  }

  @Override
  public String serviceName() {
    return client.serviceName();
  }

  /** Waits until all items are stored. */
  @Override
  public void close() {
    flush();
    writers.shutdown();
    try {
      if (!writers.awaitTermination(LONGEST_END_MINUTES, TimeUnit.MINUTES)) {
        throw new CannotRun("the store did not accept the schedules in time");
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    RuntimeException failure = fault.get();
    if (failure != null) {
      throw failure;
    }
  }
}
