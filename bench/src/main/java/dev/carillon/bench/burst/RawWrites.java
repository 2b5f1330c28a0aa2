package dev.carillon.bench.burst;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The rate at which a store takes conditional puts of rows as small as a job's, and nothing else.
 */
final class RawWrites {

  private static final Duration TIME = Duration.ofSeconds(3);
  private static final String PAYLOAD = "x".repeat(160);

  private RawWrites() {}

  static double perSecond(DynamoDbClient client, String jobsTable) {
    ExecutorService threads = Executors.newFixedThreadPool(BurstCommand.THREADS);
    try {
      LongAdder puts = new LongAdder();
      long start = System.nanoTime();
      long end = start + TIME.toNanos();
      List<CompletableFuture<Void>> running =
          IntStream.range(0, BurstCommand.THREADS)
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
      client.putItem(
          PutItemRequest.builder()
              .tableName(table)
              .item(
                  Map.of(
                      "schedule", AttributeValue.fromS("raw/" + UUID.randomUUID()),
                      "item", AttributeValue.fromS("job#raw"),
                      "v", AttributeValue.fromN("1"),
                      "h", AttributeValue.fromS(PAYLOAD)))
              .conditionExpression("attribute_not_exists(#key)")
              .expressionAttributeNames(Map.of("#key", "schedule"))
              .build());
      puts.increment();
    }
  }
}
