package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.checker.Checker;
import dev.carillon.checker.Checker.Received;
import dev.carillon.id.JobId;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Invoked with batches of the check queue. */
public final class CheckerHandler extends FunctionHandler<SQSEvent, SQSBatchResponse> {

  private static final String RECEIVES = "ApproximateReceiveCount";
  private static final Logger LOG = LoggerFactory.getLogger(CheckerHandler.class);

  private final Checker checker;

  public CheckerHandler() {
    this(Carillon.of(System.getenv()));
  }

  public CheckerHandler(Carillon carillon) {
    super(carillon);
    this.checker = carillon.checker();
  }

  @Override
  protected SQSBatchResponse handle(SQSEvent event, Deadline deadline) {
    List<Received> messages = new ArrayList<>();
    for (SQSMessage message : event.getRecords()) {
      read(message, messages);
    }
    return answer(checker.handle(messages, deadline));
  }

  /** The check of a job that nobody has. */
  @Override
  protected void prime(Deadline deadline) {
    JobId nobodys = JobId.ofFire(Priming.NOBODYS, 1, Instant.EPOCH);
    SQSMessage message = new SQSMessage();
    message.setMessageId("priming");
    message.setBody(CheckJson.write(new Check(Instant.EPOCH, List.of(nobodys))));
    message.setAttributes(Map.of());
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    handle(event, deadline);
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
