package dev.carillon.bench.crash;

import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Receives launch requests from the target queue during one life of the engine. */
final class Consumer implements AutoCloseable {

  private static final int POLL_SECONDS = 2;

  private final SqsClient client;
  private final Arrivals arrivals;
  private final Thread thread = new Thread(this::drain, "consumer");
  private volatile boolean closed;

  private Consumer(SqsClient client, Arrivals arrivals) {
    this.client = client;
    this.arrivals = arrivals;
  }

  static Consumer start(URI sqs, Arrivals arrivals) {
    Consumer consumer = new Consumer(LocalAccount.sqs(sqs), arrivals);
    consumer.thread.setDaemon(true);
    consumer.thread.start();
    return consumer;
  }

  private void drain() {
    try {
      String name = LocalEngine.TARGET_PREFIX + Deployment.QUEUE;
      String url = client.getQueueUrl(get -> get.queueName(name)).queueUrl();
      while (!closed) {
        drainOnce(url);
      }
    } catch (RuntimeException killed) {
      if (!closed) {
        System.out.println("the consumer of this engine ends: " + killed.getMessage());
      }
    }
  }

  /** Receives messages once. Records them before it acknowledges them. */
  private void drainOnce(String url) {
    List<Message> messages =
        client
            .receiveMessage(
                receive ->
                    receive
                        .queueUrl(url)
                        .maxNumberOfMessages(10)
                        .waitTimeSeconds(POLL_SECONDS)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .messageAttributeNames("All"))
            .messages();
    arrivals.add(messages.stream().map(Arrival::of).toList());
    if (!messages.isEmpty()) {
      List<DeleteMessageBatchRequestEntry> entries =
          IntStream.range(0, messages.size()).mapToObj(i -> entry(i, messages.get(i))).toList();
      client.deleteMessageBatch(delete -> delete.queueUrl(url).entries(entries));
    }
  }

  private static DeleteMessageBatchRequestEntry entry(int number, Message message) {
    return DeleteMessageBatchRequestEntry.builder()
        .id(Integer.toString(number))
        .receiptHandle(message.receiptHandle())
        .build();
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }
}
