package dev.carillon.ingest;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.carillon.Carillon;
import dev.carillon.ingest.Ingest.Received;
import java.util.List;
import java.util.Set;

/** Invoked with batches of the ingest queue. */
public final class IngestHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {

  private final Carillon carillon;
  private final Ingest ingest;

  public IngestHandler() {
    this(Carillon.of(System.getenv()));
  }

  public IngestHandler(Carillon carillon) {
    this.carillon = carillon;
    this.ingest = carillon.ingest();
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    List<Received> messages =
        event.getRecords().stream()
            .map(message -> new Received(message.getMessageId(), message.getBody()))
            .toList();
    Set<String> failed = ingest.handle(messages, carillon.deadline(context));
    return new SQSBatchResponse(
        failed.stream().map(SQSBatchResponse.BatchItemFailure::new).toList());
  }
}
