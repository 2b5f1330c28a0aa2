package dev.carillon.sqs;

import dev.carillon.check.UnknownChecks;
import dev.carillon.document.MessageLimits;
import dev.carillon.event.RejectedMessages;
import dev.carillon.event.RejectedMessages.Rejection;
import dev.carillon.runtime.Fanout;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The check queue and the rejected queue on SQS, for messages that this version does not know. */
public final class SqsUnknownChecks implements UnknownChecks {

  private final BatchSender checks;
  private final RejectedMessages rejected;

  public SqsUnknownChecks(
      SqsClient client, String checkQueueUrl, String rejectedQueueUrl, Fanout fanout) {
    this.checks = new BatchSender(client, checkQueueUrl, fanout);
    this.rejected = new SqsRejectedMessages(client, rejectedQueueUrl, fanout);
  }

  @Override
  public void passOn(String body) {
    checks.send(
        List.of(SendMessageBatchRequestEntry.builder().id("0").messageBody(body).build()),
        MessageLimits.MOST_BYTES);
  }

  @Override
  public void reject(String body, String reason) {
    rejected.reject(List.of(new Rejection(body, reason)));
  }
}
