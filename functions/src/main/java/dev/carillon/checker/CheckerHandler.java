package dev.carillon.checker;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.Carillon;
import dev.carillon.checker.Checker.Received;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Invoked with batches of the check queue. */
public final class CheckerHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {

  private static final String RECEIVES = "ApproximateReceiveCount";
  private static final Logger LOG = LoggerFactory.getLogger(CheckerHandler.class);

  private final Carillon carillon;
  private final Checker checker;

  public CheckerHandler() {
    this(Carillon.of(System.getenv()));
  }

  public CheckerHandler(Carillon carillon) {
    this.carillon = carillon;
    this.checker = carillon.checker();
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    List<Received> messages = new ArrayList<>();
    for (SQSMessage message : event.getRecords()) {
      read(message, messages);
    }
    Set<String> failed = checker.handle(messages, carillon.deadline(context));
    return new SQSBatchResponse(
        failed.stream().map(SQSBatchResponse.BatchItemFailure::new).toList());
  }

  /** Only Carillon writes to this queue: what it cannot read names no job and is let go. */
  private static void read(SQSMessage message, List<Received> messages) {
    try {
      int receives = Integer.parseInt(message.getAttributes().getOrDefault(RECEIVES, "1"));
      messages.add(
          new Received(message.getMessageId(), CheckJson.read(message.getBody()), receives));
    } catch (IllegalArgumentException foreign) {
      LOG.error("message {} of the check queue is no check", message.getMessageId(), foreign);
    }
  }
}
