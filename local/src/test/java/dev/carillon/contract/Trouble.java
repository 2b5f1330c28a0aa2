package dev.carillon.contract;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Simulates AWS behaviour that the local servers never show: partially accepted batches, and
 * conflicting transactions. It applies to a number of requests.
 */
final class Trouble implements ExecutionInterceptor {

  private static final ExecutionAttribute<Object> LEFT_OUT =
      new ExecutionAttribute<>("carillon.leftOut");

  private final AtomicInteger left;
  private final String cancellation;

  Trouble(int requests) {
    this(requests, "TransactionConflict");
  }

  /**
   * @param cancellation the reason of cancelled transactions
   */
  Trouble(int requests, String cancellation) {
    this.left = new AtomicInteger(requests);
    this.cancellation = cancellation;
  }

  private boolean strikes() {
    return left.getAndUpdate(it -> Math.max(0, it - 1)) > 0;
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    if (request instanceof PutItemRequest && strikes()) {
      throw TransactionConflictException.builder().message("conflict").build();
    }
    if (request instanceof TransactWriteItemsRequest && strikes()) {
      CancellationReason reason = CancellationReason.builder().code(cancellation).build();
      throw TransactionCanceledException.builder().cancellationReasons(reason).build();
    }
    if (request instanceof BatchWriteItemRequest batch && strikes()) {
      String table = batch.requestItems().keySet().iterator().next();
      List<WriteRequest> all = batch.requestItems().get(table);
      attributes.putAttribute(LEFT_OUT, Map.of(table, all.subList(1, all.size())));
      return batch.toBuilder().requestItems(Map.of(table, all.subList(0, 1))).build();
    }
    if (request instanceof BatchGetItemRequest batch && strikes()) {
      String table = batch.requestItems().keySet().iterator().next();
      KeysAndAttributes all = batch.requestItems().get(table);
      List<Map<String, AttributeValue>> keys = all.keys();
      KeysAndAttributes rest = all.toBuilder().keys(keys.subList(1, keys.size())).build();
      attributes.putAttribute(LEFT_OUT, Map.of(table, rest));
      return batch.toBuilder()
          .requestItems(Map.of(table, all.toBuilder().keys(keys.subList(0, 1)).build()))
          .build();
    }
    if (request instanceof SendMessageBatchRequest batch && strikes()) {
      List<SendMessageBatchRequestEntry> all = batch.entries();
      attributes.putAttribute(LEFT_OUT, all.subList(1, all.size()));
      return batch.toBuilder().entries(all.subList(0, 1)).build();
    }
    return request;
  }

  @Override
  @SuppressWarnings("unchecked")
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    Object leftOut = attributes.getAttribute(LEFT_OUT);
    if (leftOut == null) {
      return context.response();
    }
    if (context.response() instanceof BatchWriteItemResponse answer) {
      return answer.toBuilder().unprocessedItems((Map<String, List<WriteRequest>>) leftOut).build();
    }
    if (context.response() instanceof BatchGetItemResponse answer) {
      return answer.toBuilder().unprocessedKeys((Map<String, KeysAndAttributes>) leftOut).build();
    }
    SendMessageBatchResponse answer = (SendMessageBatchResponse) context.response();
    List<BatchResultErrorEntry> failed =
        ((List<SendMessageBatchRequestEntry>) leftOut)
            .stream()
                .map(
                    entry ->
                        BatchResultErrorEntry.builder()
                            .id(entry.id())
                            .code("InternalError")
                            .senderFault(false)
                            .build())
                .toList();
    return answer.toBuilder().failed(failed).build();
  }
}
