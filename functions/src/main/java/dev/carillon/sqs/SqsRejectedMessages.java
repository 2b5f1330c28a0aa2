package dev.carillon.sqs;

import dev.carillon.document.MessageLimits;
import dev.carillon.event.RejectedMessage;
import dev.carillon.event.RejectedMessages;
import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The queue of rejected events on SQS. */
public final class SqsRejectedMessages implements RejectedMessages {

  private final BatchSender sender;

  public SqsRejectedMessages(SqsClient client, String queueUrl, Fanout fanout) {
    this.sender = new BatchSender(client, queueUrl, fanout);
  }

  @Override
  public void reject(List<Rejection> rejections) {
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, rejections.size()).mapToObj(i -> entry(i, rejections.get(i))).toList();
    sender.send(entries, MessageLimits.MOST_BYTES);
  }

  private static SendMessageBatchRequestEntry entry(int number, Rejection rejection) {
    RejectedMessage message = RejectedMessage.of(rejection.body(), rejection.reason());
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(message.body())
        .messageAttributes(Entries.attributes(message.attributes()))
        .build();
  }
}
