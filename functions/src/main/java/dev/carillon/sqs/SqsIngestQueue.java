package dev.carillon.sqs;

import dev.carillon.document.MessageLimits;
import dev.carillon.event.IngestQueue;
import dev.carillon.runtime.Fanout;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** The ingest queue on SQS. */
public final class SqsIngestQueue implements IngestQueue {

  private final BatchSender sender;

  public SqsIngestQueue(SqsClient client, String queueUrl, Fanout fanout) {
    this.sender = new BatchSender(client, queueUrl, fanout);
  }

  @Override
  public void send(List<String> bodies, Duration delay) {
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, bodies.size()).mapToObj(i -> entry(i, bodies.get(i), delay)).toList();
    sender.send(entries, MessageLimits.MOST_BYTES);
  }

  private static SendMessageBatchRequestEntry entry(int number, String body, Duration delay) {
    return SendMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .messageBody(body)
        .delaySeconds(delay.isZero() ? null : Math.toIntExact(delay.toSeconds()))
        .build();
  }
}
