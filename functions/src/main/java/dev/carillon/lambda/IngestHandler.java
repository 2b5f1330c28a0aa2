package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.event.Resend;
import dev.carillon.ingest.Ingest;
import dev.carillon.ingest.Ingest.Received;
import dev.carillon.ingest.NamespaceQueues;
import dev.carillon.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;

/**
 * The function that receives batches of the ingest queue and of the queues for single namespaces.
 */
public final class IngestHandler extends FunctionHandler<SQSEvent, SQSBatchResponse> {

  private final Ingest ingest;
  private final NamespaceQueues namespaceQueues;

  public IngestHandler() {
    this(Carillon.of(System.getenv()));
  }

  public IngestHandler(Carillon carillon) {
    super(carillon);
    this.ingest = carillon.ingest();
    this.namespaceQueues = carillon.namespaceQueues();
  }

  @Override
  protected SQSBatchResponse handle(SQSEvent event, Deadline deadline) {
    List<Received> messages = new ArrayList<>();
    for (SQSMessage message : event.getRecords()) {
      messages.add(received(message));
    }
    return answer(ingest.handle(messages, deadline));
  }

  private Received received(SQSMessage message) {
    return new Received(
        message.getMessageId(),
        message.getBody(),
        namespaceQueues.namespaceOf(message.getEventSourceArn()),
        receives(message));
  }

  /**
   * Handles an event that no schedule waits for. The message is already the one for the second
   * search, so ingest sends no further search.
   */
  @Override
  protected void prime(Carillon offline, Deadline deadline) {
    SQSMessage message = new SQSMessage();
    message.setMessageId("priming");
    message.setBody(new Resend(Priming.event(), new Resend.SearchAgain()).write());
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    handle(event, deadline);
  }
}
