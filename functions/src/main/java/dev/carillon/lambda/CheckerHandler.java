package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.checker.CheckMessages;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.id.JobId;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The function that receives batches of the check queue. */
public final class CheckerHandler extends FunctionHandler<SQSEvent, SQSBatchResponse> {

  private final CheckMessages messages;

  public CheckerHandler() {
    this(Carillon.of(System.getenv()));
  }

  public CheckerHandler(Carillon carillon) {
    super(carillon);
    this.messages = carillon.checkMessages();
  }

  @Override
  protected SQSBatchResponse handle(SQSEvent event, Deadline deadline) {
    List<Message> received = new ArrayList<>();
    for (SQSMessage message : event.getRecords()) {
      received.add(new Message(message.getMessageId(), message.getBody(), receives(message)));
    }
    return answer(messages.handle(received, deadline));
  }

  /** Checks a job that does not exist. */
  @Override
  protected void prime(Carillon offline, Deadline deadline) {
    JobId absent = JobId.ofFire(Priming.ABSENT_SCHEDULE, 1, Instant.EPOCH);
    SQSMessage message = new SQSMessage();
    message.setMessageId("priming");
    message.setBody(CheckJson.write(new Check(Instant.EPOCH, List.of(absent))));
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    handle(event, deadline);
  }
}
