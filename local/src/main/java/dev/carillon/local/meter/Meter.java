package dev.carillon.local.meter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Counts a client's requests to DynamoDB and SQS by operation, and its write and read units,
 * including indexes. DynamoDB Local reports units as AWS does, except for transactions and failed
 * conditions, which this class computes. In a transaction it counts two units per KB of an item and
 * one per index of the item. That is an upper bound, because an unchanged index entry costs
 * nothing.
 */
public final class Meter implements ExecutionInterceptor {

  private static final List<String> INDEX_KEYS =
      List.of("eventKey", "namespace", "attentionShard", "unfinished", "link");

  private final Map<String, Integer> requests = new TreeMap<>();
  private double writeUnits;
  private double readUnits;
  private int largestItem;

  /** The requests by operation, such as {@code PutItem}. */
  public synchronized Map<String, Integer> requests() {
    return new TreeMap<>(requests);
  }

  public synchronized int requests(String operation) {
    return requests.getOrDefault(operation, 0);
  }

  /** The number of requests that write to DynamoDB. */
  public synchronized int writeRequests() {
    return Stream.of("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems")
        .mapToInt(this::requests)
        .sum();
  }

  public synchronized double writeUnits() {
    return writeUnits;
  }

  public synchronized double readUnits() {
    return readUnits;
  }

  /** The size of the largest item that was put, in bytes. */
  public synchronized int largestItem() {
    return largestItem;
  }

  public synchronized void reset() {
    requests.clear();
    writeUnits = 0;
    readUnits = 0;
    largestItem = 0;
  }

  @Override
  public String toString() {
    return requests() + ", " + writeUnits() + " write units, " + readUnits() + " read units";
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    ReturnConsumedCapacity all = ReturnConsumedCapacity.INDEXES;
    if (request instanceof PutItemRequest put) {
      return put.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof UpdateItemRequest update) {
      return update.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof DeleteItemRequest delete) {
      return delete.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof BatchWriteItemRequest batch) {
      return batch.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof BatchGetItemRequest batch) {
      return batch.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof GetItemRequest get) {
      return get.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof QueryRequest query) {
      return query.toBuilder().returnConsumedCapacity(all).build();
    }
    if (request instanceof ScanRequest scan) {
      return scan.toBuilder().returnConsumedCapacity(all).build();
    }
    return request;
  }

  @Override
  public synchronized void afterExecution(
      Context.AfterExecution context, ExecutionAttributes attributes) {
    count(context.request());
    SdkResponse response = context.response();
    if (context.request() instanceof TransactWriteItemsRequest transaction) {
      writeUnits += transaction.transactItems().stream().mapToDouble(Meter::units).sum();
    } else if (response instanceof PutItemResponse put) {
      writeUnits += put.consumedCapacity().capacityUnits();
    } else if (response instanceof UpdateItemResponse update) {
      writeUnits += update.consumedCapacity().capacityUnits();
    } else if (response instanceof DeleteItemResponse delete) {
      writeUnits += delete.consumedCapacity().capacityUnits();
    } else if (response instanceof BatchWriteItemResponse batch) {
      writeUnits += sum(batch.consumedCapacity());
    } else if (response instanceof BatchGetItemResponse batch) {
      readUnits += sum(batch.consumedCapacity());
    } else if (response instanceof GetItemResponse get) {
      readUnits += get.consumedCapacity().capacityUnits();
    } else if (response instanceof QueryResponse query) {
      readUnits += Math.max(0.5, query.consumedCapacity().capacityUnits());
    } else if (response instanceof ScanResponse scan) {
      readUnits += Math.max(0.5, scan.consumedCapacity().capacityUnits());
    }
  }

  @Override
  public synchronized void onExecutionFailure(
      Context.FailedExecution context, ExecutionAttributes attributes) {
    count(context.request());
    if (context.request() instanceof PutItemRequest put) {
      writeUnits += kilobytes(put.item());
    } else if (context.request() instanceof TransactWriteItemsRequest transaction) {
      writeUnits += transaction.transactItems().stream().mapToDouble(Meter::units).sum();
    }
  }

  private void count(SdkRequest request) {
    String operation = request.getClass().getSimpleName().replaceAll("Request$", "");
    requests.merge(operation, 1, Integer::sum);
    if (request instanceof PutItemRequest put) {
      largestItem = Math.max(largestItem, bytes(put.item()));
    } else if (request instanceof TransactWriteItemsRequest transaction) {
      transaction.transactItems().stream()
          .filter(item -> item.put() != null)
          .forEach(item -> largestItem = Math.max(largestItem, bytes(item.put().item())));
    }
  }

  private static double sum(List<ConsumedCapacity> capacities) {
    return capacities.stream().mapToDouble(ConsumedCapacity::capacityUnits).sum();
  }

  private static double units(TransactWriteItem write) {
    if (write.put() == null) {
      boolean isTriggerEntry =
          write.delete() != null
              && write.delete().key().containsKey("item")
              && write.delete().key().get("item").s().startsWith("trigger#");
      return isTriggerEntry ? 3 : 2;
    }
    Map<String, AttributeValue> item = write.put().item();
    return 2.0 * kilobytes(item) + INDEX_KEYS.stream().filter(item::containsKey).count();
  }

  private static int kilobytes(Map<String, AttributeValue> item) {
    return (bytes(item) + 1023) / 1024;
  }

  /** The size of an item as DynamoDB counts it. */
  static int bytes(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .mapToInt(attribute -> utf8(attribute.getKey()) + bytes(attribute.getValue()))
        .sum();
  }

  private static int bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> utf8(value.s());
      case N -> value.n().length() / 2 + 2;
      case B -> value.b().asByteArrayUnsafe().length;
      case BOOL -> 1;
      // A map counts three bytes, and one byte more for each entry.
      case M -> 3 + value.m().size() + bytes(value.m());
      default ->
          throw new IllegalArgumentException(
              "cannot compute the size of an attribute of type "
                  + value.type()
                  + ": Carillon stores none");
    };
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
