package dev.carillon.bench.harness;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Measures the rate of conditional puts that a store accepts. The items have the attributes of job
 * items; each is inserted and then replaced, as in a launch.
 */
public final class RawWrites {

  private static final int THREADS = 16;

  private static final Duration TIME = Duration.ofSeconds(3);
  private static final String HISTORY = "x".repeat(60);
  private static final AttributeValue FIRST = AttributeValue.fromN("1");
  private static final byte[] TOKEN = new byte[16];

  private RawWrites() {}

  /**
   * @param client must allow a connection for each of 16 threads
   */
  public static double perSecond(DynamoDbClient client, String jobsTable) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      LongAdder puts = new LongAdder();
      long start = System.nanoTime();
      long end = start + TIME.toNanos();
      List<CompletableFuture<Void>> running =
          IntStream.range(0, THREADS)
              .mapToObj(
                  any ->
                      CompletableFuture.runAsync(() -> put(client, jobsTable, end, puts), threads))
              .toList();
      running.forEach(CompletableFuture::join);
      return puts.sum() * 1e9 / (System.nanoTime() - start);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void put(DynamoDbClient client, String table, long end, LongAdder puts) {
    while (System.nanoTime() < end) {
      Map<String, AttributeValue> launching = row("PENDING_LAUNCH", "1", "u", HISTORY);
      client.putItem(
          PutItemRequest.builder()
              .tableName(table)
              .item(launching)
              .conditionExpression("attribute_not_exists(#key)")
              .expressionAttributeNames(Map.of("#key", "schedule"))
              .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
              .build());
      puts.increment();
      Map<String, AttributeValue> ended = row("LAUNCHED", "2", "l", HISTORY + HISTORY);
      ended.put("schedule", launching.get("schedule"));
      ended.put("expiresAt", AttributeValue.fromN("1700000000"));
      client.putItem(
          PutItemRequest.builder()
              .tableName(table)
              .item(ended)
              .conditionExpression("#v = :v AND #state = :state")
              .expressionAttributeNames(Map.of("#v", "v", "#state", "state"))
              .expressionAttributeValues(
                  Map.of(":v", FIRST, ":state", AttributeValue.fromS("PENDING_LAUNCH")))
              .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
              .build());
      puts.increment();
    }
  }

  private static Map<String, AttributeValue> row(
      String state, String version, String instant, String history) {
    Map<String, AttributeValue> row = new HashMap<>();
    row.put("schedule", AttributeValue.fromS("raw/" + UUID.randomUUID()));
    row.put("item", AttributeValue.fromS("job#raw"));
    row.put("state", AttributeValue.fromS(state));
    row.put("v", AttributeValue.fromN(version));
    row.put("a", FIRST);
    row.put("p", AttributeValue.fromS("burst-00001"));
    row.put(instant, AttributeValue.fromN("1700000000000"));
    row.put("h", AttributeValue.fromS(history));
    row.put("w", AttributeValue.fromB(SdkBytes.fromByteArray(TOKEN)));
    return row;
  }
}
