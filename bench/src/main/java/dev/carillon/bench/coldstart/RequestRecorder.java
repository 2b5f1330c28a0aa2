package dev.carillon.bench.coldstart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;

/** Records which requests clients make, and which of them overlap. */
final class RequestRecorder implements ExecutionInterceptor {

  private final List<List<String>> steps = new ArrayList<>();
  private int open;

  /**
   * The requests in the form of {@link BareRequests}. A request begins a new step if no other
   * request is open.
   */
  synchronized String requests() {
    return steps.stream()
        .map(step -> String.join(BareRequests.REQUEST_END, step))
        .collect(Collectors.joining(BareRequests.STEP_END));
  }

  @Override
  public synchronized void beforeExecution(
      Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (open++ == 0) {
      steps.add(new ArrayList<>());
    }
    SdkRequest request = context.request();
    String operation = request.getClass().getSimpleName().replaceAll("Request$", "");
    steps.get(steps.size() - 1).add(operation + BareRequests.ENTRIES + entries(request));
  }

  private static int entries(SdkRequest request) {
    if (request instanceof BatchGetItemRequest batch) {
      return batch.requestItems().values().stream().mapToInt(keys -> keys.keys().size()).sum();
    }
    if (request instanceof BatchWriteItemRequest batch) {
      return batch.requestItems().values().stream().mapToInt(List::size).sum();
    }
    if (request instanceof TransactWriteItemsRequest transaction) {
      return transaction.transactItems().size();
    }
    return request instanceof SendMessageBatchRequest batch ? batch.entries().size() : 1;
  }

  @Override
  public synchronized void afterExecution(
      Context.AfterExecution context, ExecutionAttributes attributes) {
    open--;
  }

  @Override
  public synchronized void onExecutionFailure(
      Context.FailedExecution context, ExecutionAttributes attributes) {
    open--;
  }
}
