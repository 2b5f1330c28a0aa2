package dev.carillon.demo;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** A worker that only reports the requests it receives. */
final class Listener implements AutoCloseable {

  private static final int LONG_POLL_SECONDS = 20;
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  private final SqsClient client;
  private final String queueName;
  private final Consumer<Launch> heard;
  private final Thread thread;
  private volatile boolean closing;

  private Listener(SqsClient client, String queueName, Consumer<Launch> heard) {
    this.client = client;
    this.queueName = queueName;
    this.heard = heard;
    this.thread = new Thread(this::listen, queueName);
  }

  static Listener start(SqsClient client, String queueName, Consumer<Launch> heard) {
    Listener listener = new Listener(client, queueName, heard);
    listener.thread.setDaemon(true);
    listener.thread.start();
    return listener;
  }

  private void listen() {
    try {
      String url = client.getQueueUrl(get -> get.queueName(queueName)).queueUrl();
      while (!closing) {
        receive(url);
      }
    } catch (RuntimeException fault) {
      if (!closing) {
        LOG.error("cannot receive from the queue {} any more", queueName, fault);
      }
    }
  }

  private void receive(String url) {
    List<Message> messages =
        client
            .receiveMessage(
                receive ->
                    receive
                        .queueUrl(url)
                        .maxNumberOfMessages(10)
                        .waitTimeSeconds(LONG_POLL_SECONDS)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .messageAttributeNames("All"))
            .messages();
    Instant now = Instant.now();
    for (Message message : messages) {
      heard.accept(Launch.of(message, now));
      client.deleteMessage(delete -> delete.queueUrl(url).receiptHandle(message.receiptHandle()));
    }
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
  }
}
