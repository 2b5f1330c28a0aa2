package dev.carillon.ingest;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.Carillon;
import dev.carillon.ingest.Ingest.Received;
import java.util.List;
import java.util.Set;

/** Invoked with batches of the ingest queue, and of those for single namespaces. */
public final class IngestHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {

  private final Carillon carillon;
  private final Ingest ingest;
  private final NamespaceQueues namespaceQueues;

  public IngestHandler() {
    this(Carillon.of(System.getenv()));
  }

  public IngestHandler(Carillon carillon) {
    this.carillon = carillon;
    this.ingest = carillon.ingest();
    this.namespaceQueues = carillon.namespaceQueues();
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    List<Received> messages = event.getRecords().stream().map(this::received).toList();
    Set<String> failed = ingest.handle(messages, carillon.deadline(context));
    return new SQSBatchResponse(
        failed.stream().map(SQSBatchResponse.BatchItemFailure::new).toList());
  }

  private Received received(SQSMessage message) {
    return new Received(
        message.getMessageId(),
        message.getBody(),
        namespaceQueues.namespaceOf(message.getEventSourceArn()));
  }
}
