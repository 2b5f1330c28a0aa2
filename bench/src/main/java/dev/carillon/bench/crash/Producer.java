package dev.carillon.bench.crash;

import dev.carillon.local.LocalAccount;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * A stream of events at a steady pace, sent by SQS and HTTP in turn. Each unacknowledged event is
 * sent again with the same id, and so are some acknowledged events.
 */
final class Producer implements AutoCloseable {

  private static final long PACE_MILLIS = 150;
  private static final int FRESH_A_TURN = 2;
  private static final int MOST_OLD_A_TURN = 7;
  private static final int TURNS_TO_A_REPETITION = 10;

  private final Deployment deployment;
  private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
  private final Deque<String> unacknowledged = new ArrayDeque<>();
  private final NavigableMap<String, Instant> accepted = new TreeMap<>();
  private @Nullable Line line;
  private boolean finishing;
  private int turns;
  private int events;
  private int failedSends;
  private int repetitions;

  /** The endpoints for events during one life of the engine. */
  private record Line(URI http, SqsClient sqs, String ingestUrl) {}

  Producer(Deployment deployment) {
    this.deployment = deployment;
    var unused =
        pace.scheduleAtFixedRate(this::turn, PACE_MILLIS, PACE_MILLIS, TimeUnit.MILLISECONDS);
  }

  void connect(EngineProcess engine) {
    SqsClient sqs = LocalAccount.sqs(engine.sqs());
    String url = sqs.getQueueUrl(get -> get.queueName("carillon-ingest")).queueUrl();
    connect(new Line(engine.http(), sqs, url));
  }

  private synchronized void connect(Line next) {
    line = next;
  }

  synchronized void disconnect() {
    if (line != null) {
      line.sqs().close();
      line = null;
    }
  }

  /** Stops producing and waits until all events are acknowledged; false if that took too long. */
  synchronized boolean finish(Duration longest) throws InterruptedException {
    finishing = true;
    long end = System.nanoTime() + longest.toNanos();
    while (!unacknowledged.isEmpty() && System.nanoTime() < end) {
      wait(PACE_MILLIS);
    }
    return unacknowledged.isEmpty();
  }

  /** The ids of the acknowledged events, each with the instant of its first acknowledgement. */
  synchronized Map<String, Instant> accepted() {
    return new TreeMap<>(accepted);
  }

  @Override
  public synchronized String toString() {
    return "%d events in %d sends, %d of them not acknowledged; %d events sent again"
        .formatted(accepted.size(), turns, failedSends, repetitions);
  }

  @Override
  public void close() {
    pace.shutdownNow();
    disconnect();
  }

  private synchronized void turn() {
    if (line == null || (finishing && unacknowledged.isEmpty())) {
      return;
    }
    turns++;
    List<String> batch = nextBatch();
    Set<String> taken = turns % 2 == 0 ? sendByHttp(line, batch) : sendBySqs(line, batch);
    Instant now = Instant.now();
    taken.forEach(event -> accepted.putIfAbsent(event, now));
    batch.removeAll(taken);
    batch.removeAll(accepted.keySet());
    batch.forEach(unacknowledged::addLast);
    failedSends += batch.isEmpty() ? 0 : 1;
    notifyAll();
  }

  private List<String> nextBatch() {
    List<String> batch = new ArrayList<>();
    while (!unacknowledged.isEmpty() && batch.size() < MOST_OLD_A_TURN) {
      batch.add(unacknowledged.removeFirst());
    }
    for (int fresh = 0; fresh < FRESH_A_TURN && !finishing && unacknowledged.isEmpty(); fresh++) {
      batch.add(id(events++));
    }
    String earlier = accepted.floorKey(id(events / 2));
    if (turns % TURNS_TO_A_REPETITION == 0 && earlier != null) {
      batch.add(earlier);
      repetitions++;
    }
    return batch;
  }

  private static String id(int number) {
    return "event-%05d".formatted(number);
  }

  private Set<String> sendByHttp(Line to, List<String> batch) {
    String bodies = batch.stream().map(Producer::body).collect(Collectors.joining(","));
    try {
      return deployment.post(to.http(), bodies) ? Set.copyOf(batch) : Set.of();
    } catch (IOException killed) {
      return Set.of();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return Set.of();
    }
  }

  private static Set<String> sendBySqs(Line to, List<String> batch) {
    List<SendMessageBatchRequestEntry> entries =
        IntStream.range(0, batch.size())
            .mapToObj(
                i ->
                    SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .messageBody(body(batch.get(i)))
                        .build())
            .toList();
    try {
      SendMessageBatchResponse answer =
          to.sqs().sendMessageBatch(send -> send.queueUrl(to.ingestUrl()).entries(entries));
      return answer.successful().stream()
          .map(success -> batch.get(Integer.parseInt(success.id())))
          .collect(Collectors.toSet());
    } catch (RuntimeException killed) {
      return Set.of();
    }
  }

  private static String body(String id) {
    return """
        {"id": "%s", "namespace": "%s", "eventType": "PARTITION",
         "payload": {"datasetId": "%s", "partitionKeys": ["%s"]}}
        """
        .formatted(id, Deployment.NAMESPACE, Deployment.DATASET, id);
  }
}
