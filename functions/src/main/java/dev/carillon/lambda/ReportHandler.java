package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.id.JobId;
import dev.carillon.report.ReportMessages;
import dev.carillon.report.ReportMessages.Received;
import dev.carillon.runtime.Deadline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The function that receives batches of the report queue. */
public final class ReportHandler extends FunctionHandler<SQSEvent, SQSBatchResponse> {

  private static final String SENT = "SentTimestamp";

  private final ReportMessages messages;

  public ReportHandler() {
    this(Carillon.of(System.getenv()));
  }

  public ReportHandler(Carillon carillon) {
    super(carillon);
    this.messages = carillon.reportMessages();
  }

  @Override
  protected SQSBatchResponse handle(SQSEvent event, Deadline deadline) {
    List<Received> received = new ArrayList<>();
    for (SQSMessage message : event.getRecords()) {
      received.add(new Received(message.getMessageId(), message.getBody(), sentAt(message)));
    }
    return answer(messages.handle(received, deadline));
  }

  /** When the queue accepted a message. If this instant is unknown, a heartbeat extends nothing. */
  private static Instant sentAt(SQSMessage message) {
    Map<String, String> attributes = message.getAttributes();
    String sent = attributes == null ? null : attributes.get(SENT);
    try {
      return sent == null ? Instant.EPOCH : Instant.ofEpochMilli(Long.parseLong(sent));
    } catch (NumberFormatException unknown) {
      return Instant.EPOCH;
    }
  }

  /** Processes a report about a job that does not exist, and a message with one offline. */
  @Override
  protected void prime(Carillon offline, Deadline deadline) {
    JobId absent = JobId.ofFire(Priming.ABSENT_SCHEDULE, 1, Instant.EPOCH);
    messages.prime(absent);
    String report =
        "{\"report\": \"succeed\", \"namespace\": \"%s\", \"jobId\": \"%s\", \"claimToken\": \"-\"}"
            .formatted(absent.schedule().namespace(), absent);
    SQSBatchResponse unused =
        answer(
            offline
                .reportMessages()
                .handle(List.of(new Received("priming", report, Instant.EPOCH)), deadline));
  }
}
