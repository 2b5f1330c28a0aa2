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
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * The rate at which a store takes conditional puts of items like the rows of jobs that are
 * launching, attribute by attribute, and nothing else.
 */
final class RawWrites {

  private static final Duration TIME = Duration.ofSeconds(3);
  private static final String HISTORY = "x".repeat(60);
  private static final byte[] TOKEN = new byte[16];

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
                      "state", AttributeValue.fromS("PENDING_LAUNCH"),
                      "v", AttributeValue.fromN("1"),
                      "a", AttributeValue.fromN("1"),
                      "p", AttributeValue.fromS("burst-00001"),
                      "u", AttributeValue.fromN("1700000000000"),
                      "h", AttributeValue.fromS(HISTORY),
                      "w", AttributeValue.fromB(SdkBytes.fromByteArray(TOKEN))))
              .conditionExpression("attribute_not_exists(#key)")
              .expressionAttributeNames(Map.of("#key", "schedule"))
              .build());
      puts.increment();
    }
  }
}
