package dev.carillon.bench.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Receives all messages of a target queue and records when each became visible. */
public final class Arrivals implements AutoCloseable {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int MOST_A_REQUEST = 10;
  private static final int WAIT_SECONDS = 1;

  private final SqsClient client;
  private final String queueUrl;
  private final List<Arrival> arrived = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads;
  private volatile boolean closing;

  /**
   * One launch request.
   *
   * @param visibleAt the instant by the queue's clock, to the millisecond
   */
  public record Arrival(String job, Instant scheduledFor, Instant visibleAt) {

    public long lateMillis() {
      return visibleAt.toEpochMilli() - scheduledFor.toEpochMilli();
    }
  }

  public Arrivals(SqsClient client, String queueUrl, int threadCount) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.threads = Executors.newFixedThreadPool(threadCount);
    for (int i = 0; i < threadCount; i++) {
      threads.execute(this::drain);
    }
  }

  public int count() {
    return arrived.size();
  }

  public List<Arrival> arrived() {
    synchronized (arrived) {
      return List.copyOf(arrived);
    }
  }

  private void drain() {
    while (!closing) {
      List<Message> messages =
          client
              .receiveMessage(
                  it ->
                      it.queueUrl(queueUrl)
                          .maxNumberOfMessages(MOST_A_REQUEST)
                          .waitTimeSeconds(WAIT_SECONDS)
                          .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
              .messages();
      if (!messages.isEmpty()) {
        messages.forEach(message -> arrived.add(arrival(message)));
        client.deleteMessageBatch(
            it ->
                it.queueUrl(queueUrl).entries(messages.stream().map(Arrivals::deletion).toList()));
      }
    }
  }

  private static Arrival arrival(Message message) {
    JsonNode body = read(message.body());
    String sentAt = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
    return new Arrival(
        body.path("job").asText(),
        Instant.parse(body.path("at").asText()),
        Instant.ofEpochMilli(Long.parseLong(sentAt)));
  }

  private static JsonNode read(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException foreign) {
      throw new IllegalStateException("the message is not a launch request", foreign);
    }
  }

  private static DeleteMessageBatchRequestEntry deletion(Message message) {
    return DeleteMessageBatchRequestEntry.builder()
        .id(message.messageId())
        .receiptHandle(message.receiptHandle())
        .build();
  }

  @Override
  public void close() {
    closing = true;
    threads.shutdown();
    try {
      threads.awaitTermination(2L * WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
