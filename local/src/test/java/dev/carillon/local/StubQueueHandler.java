package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.util.List;

/** Fails messages that say "fail" at their first receive, and throws if one says "throw". */
public final class StubQueueHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {

  private final StubRoot root;

  public StubQueueHandler() {
    this(StubRoot.of(System.getenv()));
  }

  public StubQueueHandler(StubRoot root) {
    this.root = root;
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    root.record(event);
    if (event.getRecords().stream().anyMatch(record -> isFirst(record, "throw"))) {
      throw new IllegalStateException("instructed to throw");
    }
    List<BatchItemFailure> failures =
        event.getRecords().stream()
            .filter(record -> isFirst(record, "fail"))
            .map(record -> new BatchItemFailure(record.getMessageId()))
            .toList();
    return new SQSBatchResponse(failures);
  }

  private static boolean isFirst(SQSEvent.SQSMessage message, String body) {
    return message.getBody().equals(body)
        && message.getAttributes().get("ApproximateReceiveCount").equals("1");
  }
}
