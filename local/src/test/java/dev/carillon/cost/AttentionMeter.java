package dev.carillon.cost;

import dev.carillon.contract.Servers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The write units of the entries of the attention indexes, of jobs and of gates, by DynamoDB's
 * rules: one for an entry that comes, goes, or has another state; two for one that moves. It reads
 * each item before and after it is written, because DynamoDB Local misreports transactions.
 */
final class AttentionMeter implements ExecutionInterceptor {

  private static final ExecutionAttribute<Map<Written, Map<String, AttributeValue>>> BEFORE =
      new ExecutionAttribute<>("before");

  private double ofJobs;
  private double ofGates;

  /** An item of the table of jobs or of gates. */
  private record Written(String table, Map<String, AttributeValue> key) {

    static Stream<Written> of(String table, Map<String, AttributeValue> item) {
      String partition = item.containsKey("gate") ? "gate" : "schedule";
      return item.containsKey("item") && item.containsKey(partition)
          ? Stream.of(
              new Written(table, Map.of(partition, item.get(partition), "item", item.get("item"))))
          : Stream.empty();
    }

    boolean isOfGates() {
      return key.containsKey("gate");
    }

    Map<String, AttributeValue> read() {
      return Servers.dynamoDb()
          .getItem(it -> it.tableName(table).key(key).consistentRead(true))
          .item();
    }
  }

  synchronized double ofJobs() {
    return ofJobs;
  }

  synchronized double ofGates() {
    return ofGates;
  }

  synchronized void reset() {
    ofJobs = 0;
    ofGates = 0;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    Map<Written, Map<String, AttributeValue>> before = new HashMap<>();
    written(context.request()).forEach(item -> before.put(item, item.read()));
    attributes.putAttribute(BEFORE, before);
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    Objects.requireNonNull(attributes.getAttribute(BEFORE))
        .forEach((item, before) -> add(item, units(before, item.read(), item.isOfGates())));
  }

  private synchronized void add(Written item, int units) {
    if (item.isOfGates()) {
      ofGates += units;
    } else {
      ofJobs += units;
    }
  }

  private static List<Written> written(SdkRequest request) {
    if (request instanceof PutItemRequest put) {
      return Written.of(put.tableName(), put.item()).toList();
    }
    if (request instanceof UpdateItemRequest update) {
      return Written.of(update.tableName(), update.key()).toList();
    }
    List<Written> all = new ArrayList<>();
    if (request instanceof TransactWriteItemsRequest transaction) {
      transaction.transactItems().forEach(write -> written(write).forEach(all::add));
    }
    return all;
  }

  private static Stream<Written> written(TransactWriteItem write) {
    return Stream.of(
            Optional.ofNullable(write.put()).map(it -> Written.of(it.tableName(), it.item())),
            Optional.ofNullable(write.update()).map(it -> Written.of(it.tableName(), it.key())),
            Optional.ofNullable(write.delete()).map(it -> Written.of(it.tableName(), it.key())))
        .flatMap(Optional::stream)
        .flatMap(items -> items);
  }

  private static int units(
      Map<String, AttributeValue> before, Map<String, AttributeValue> after, boolean ofGates) {
    List<AttributeValue> from = entry(before);
    List<AttributeValue> to = entry(after);
    if (from.equals(to)) {
      boolean isSame = from.isEmpty() || ofGates || state(before).equals(state(after));
      return isSame ? 0 : 1;
    }
    return from.isEmpty() || to.isEmpty() ? 1 : 2;
  }

  /** The key of the entry; empty if the index has none. */
  private static List<AttributeValue> entry(Map<String, AttributeValue> item) {
    return item.containsKey("attentionAt")
        ? List.of(item.get("attentionShard"), item.get("attentionAt"))
        : List.of();
  }

  private static Optional<AttributeValue> state(Map<String, AttributeValue> item) {
    return Optional.ofNullable(item.get("state"));
  }
}
