package dev.carillon.sqs;

import dev.carillon.ingest.RejectedEvents;
import dev.carillon.ingest.RejectedMessage;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The queue of rejected events on SQS. */
public final class SqsRejectedEvents implements RejectedEvents {

  private final SqsClient client;
  private final String queueUrl;

  public SqsRejectedEvents(SqsClient client, String queueUrl) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  @Override
  public void reject(String body, String reason) {
    RejectedMessage message = RejectedMessage.of(body, reason);
    client.sendMessage(
        send ->
            send.queueUrl(queueUrl)
                .messageBody(message.body())
                .messageAttributes(Entries.attributes(message.attributes())));
  }
}
