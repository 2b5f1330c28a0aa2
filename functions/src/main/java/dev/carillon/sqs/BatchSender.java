package dev.carillon.sqs;

import dev.carillon.runtime.Backoff;
import dev.carillon.runtime.Fanout;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Sends messages to one of Carillon's own queues. A call sends every message or throws. */
final class BatchSender {

  private final SqsClient client;
  private final String queueUrl;
  private final Fanout fanout;

  BatchSender(SqsClient client, String queueUrl, Fanout fanout) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.fanout = fanout;
  }

  /**
   * @param entries messages with different ids
   * @throws RuntimeException if SQS did not accept every message; it may have accepted some of them
   */
  void send(List<SendMessageBatchRequestEntry> entries, int mostBytes) {
    fanout.forEach(Entries.batches(entries, mostBytes), this::sendBatch);
  }

  private void sendBatch(List<SendMessageBatchRequestEntry> batch) {
    List<SendMessageBatchRequestEntry> rest = batch;
    for (int retry = 0; ; retry++) {
      SendMessageBatchRequest request =
          SendMessageBatchRequest.builder().queueUrl(queueUrl).entries(rest).build();
      List<BatchResultErrorEntry> failed = client.sendMessageBatch(request).failed();
      if (failed.isEmpty()) {
        return;
      }
      if (retry == Backoff.MOST_RETRIES || failed.stream().anyMatch(it -> it.senderFault())) {
        throw new IllegalStateException(
            "SQS did not accept a message for queue " + queueUrl + ": " + failed.get(0).code());
      }
      Set<String> ids = failed.stream().map(BatchResultErrorEntry::id).collect(Collectors.toSet());
      rest = rest.stream().filter(entry -> ids.contains(entry.id())).toList();
      Backoff.pause(retry);
    }
  }
}
