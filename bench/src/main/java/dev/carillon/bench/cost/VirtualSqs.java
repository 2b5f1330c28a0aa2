package dev.carillon.bench.cost;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * SQS in memory, on a virtual clock. It counts requests in the way in which SQS bills them: one for
 * each started 64 KB of payload.
 */
public final class VirtualSqs implements SqsClient {

  static final int BILLED_BYTES = 64 * 1024;
  static final int MOST_RECEIVED = 10;

  private final InstantSource clock;
  private final Map<String, PriorityQueue<Stored>> queues = new HashMap<>();
  private final Map<String, Integer> sent = new HashMap<>();
  private long lastId;
  private int requests;

  public VirtualSqs(InstantSource clock) {
    this.clock = clock;
  }

  /** A message that has not been received yet. */
  public record Stored(long id, String body, Instant visibleAt) {}

  @Override
  public synchronized SendMessageBatchResponse sendMessageBatch(SendMessageBatchRequest request) {
    Instant now = clock.instant();
    List<SendMessageBatchResultEntry> results = new ArrayList<>();
    int bytes = 0;
    for (SendMessageBatchRequestEntry entry : request.entries()) {
      int delay = entry.delaySeconds() == null ? 0 : entry.delaySeconds();
      queue(request.queueUrl())
          .add(new Stored(++lastId, entry.messageBody(), now.plusSeconds(delay)));
      bytes += bytes(entry.messageBody());
      results.add(SendMessageBatchResultEntry.builder().id(entry.id()).messageId("m").build());
    }
    sent.merge(request.queueUrl(), results.size(), Integer::sum);
    requests += billed(bytes);
    return SendMessageBatchResponse.builder().successful(results).failed(List.of()).build();
  }

  /**
   * Receives up to {@code most} visible messages, as an event source does. It counts the requests
   * that receive the messages, ten at a time, and those that delete them.
   */
  public synchronized List<Stored> take(String queueUrl, int most) {
    List<Stored> taken = new ArrayList<>();
    List<Stored> received;
    do {
      received = receive(queueUrl, Math.min(MOST_RECEIVED, most - taken.size()));
      if (!received.isEmpty()) {
        requests += billed(received.stream().mapToInt(one -> bytes(one.body())).sum()) + 1;
        taken.addAll(received);
      }
    } while (!received.isEmpty());
    return taken;
  }

  /** Receives up to {@code most} visible messages and deletes them, without counting requests. */
  public synchronized List<Stored> receive(String queueUrl, int most) {
    List<Stored> received = new ArrayList<>();
    while (received.size() < most && isVisible(queue(queueUrl).peek())) {
      received.add(queue(queueUrl).remove());
    }
    return received;
  }

  private boolean isVisible(@Nullable Stored message) {
    return message != null && !message.visibleAt().isAfter(clock.instant());
  }

  /** The number of messages sent to a queue so far. */
  public synchronized int sentTo(String queueUrl) {
    return sent.getOrDefault(queueUrl, 0);
  }

  public synchronized int requests() {
    return requests;
  }

  /** Counts a request with which another client sends these bodies. */
  public synchronized void countSend(List<String> bodies) {
    requests += billed(bodies.stream().mapToInt(VirtualSqs::bytes).sum());
  }

  /** Resets the counts; the messages stay. */
  public synchronized void reset() {
    requests = 0;
    sent.clear();
  }

  /** Does nothing, because every queue exists. */
  @Override
  public CreateQueueResponse createQueue(CreateQueueRequest request) {
    return CreateQueueResponse.builder().queueUrl(url(request.queueName())).build();
  }

  @Override
  public GetQueueUrlResponse getQueueUrl(GetQueueUrlRequest request) {
    return GetQueueUrlResponse.builder().queueUrl(url(request.queueName())).build();
  }

  public static String url(String queueName) {
    return "http://sqs/000000000000/" + queueName;
  }

  @Override
  public synchronized GetQueueAttributesResponse getQueueAttributes(
      GetQueueAttributesRequest request) {
    requests++;
    long visible = queue(request.queueUrl()).stream().filter(this::isVisible).count();
    return GetQueueAttributesResponse.builder()
        .attributes(
            Map.of(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                Long.toString(visible),
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                "0"))
        .build();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}

  static int billed(int bytes) {
    return Math.max(1, (bytes + BILLED_BYTES - 1) / BILLED_BYTES);
  }

  private static int bytes(String body) {
    return body.getBytes(StandardCharsets.UTF_8).length;
  }

  private PriorityQueue<Stored> queue(String url) {
    return queues.computeIfAbsent(
        url,
        any ->
            new PriorityQueue<>(Comparator.comparing(Stored::visibleAt).thenComparing(Stored::id)));
  }
}
