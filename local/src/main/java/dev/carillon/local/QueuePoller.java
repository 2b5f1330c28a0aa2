package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A queue as a function's event source. It polls, assembles batches, invokes the function, and
 * deletes the messages that did not fail. As on Lambda, SQS delivers the others again after their
 * visibility time-out.
 */
final class QueuePoller implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(QueuePoller.class);
  private static final int MOST_A_REQUEST = 10;
  private static final int LONG_POLL_SECONDS = 20;
  private static final long PAUSE_MILLIS = 50;
  private static final long PAUSE_AFTER_FAULT_MILLIS = 1_000;

  /** The largest payload of one invocation, in characters. */
  private static final long MOST_PAYLOAD_CHARS = 6_000_000;

  private final EventSource.Queue source;
  private final LocalFunction function;
  private final SqsClient client;
  private final String url;
  private final Semaphore free;
  private final Thread poller;
  private final ExecutorService workers;
  private volatile boolean closing;

  QueuePoller(EventSource.Queue source, LocalFunction function, SqsClient client) {
    this.source = source;
    this.function = function;
    this.client = client;
    url = client.getQueueUrl(request -> request.queueName(source.queueName())).queueUrl();
    int concurrency = Math.min(source.concurrency(), function.mostConcurrent());
    free = new Semaphore(concurrency);
    workers = Executors.newFixedThreadPool(concurrency, Daemon.threads(function.name()));
    poller = Daemon.threads(source.queueName()).newThread(this::poll);
  }

  void start() {
    poller.start();
  }

  /** Stops polling and waits a limited time for running invocations. */
  @Override
  public void close() {
    closing = true;
    poller.interrupt();
    Daemon.stop(workers);
  }

  private void poll() {
    while (!closing) {
      try {
        pollOnce();
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException fault) {
        pauseAfter(fault);
      }
    }
  }

  private void pollOnce() throws InterruptedException {
    free.acquire();
    boolean handed = false;
    try {
      List<Message> batch = assemble();
      if (!batch.isEmpty()) {
        workers.execute(() -> process(batch));
        handed = true;
      }
    } finally {
      if (!handed) {
        free.release();
      }
    }
  }

  private void pauseAfter(RuntimeException fault) {
    if (closing) {
      return;
    }
    LOG.warn("the queue {} cannot be polled", source.queueName(), fault);
    try {
      Thread.sleep(PAUSE_AFTER_FAULT_MILLIS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /** Receives messages until the batch is full or its window has passed. */
  private List<Message> assemble() throws InterruptedException {
    List<Message> batch = new ArrayList<>(receive(source.batchSize(), LONG_POLL_SECONDS));
    long end = System.nanoTime() + source.window().toNanos();
    while (!batch.isEmpty() && !full(batch) && System.nanoTime() < end) {
      List<Message> more = receive(source.batchSize() - batch.size(), 0);
      batch.addAll(more);
      if (more.isEmpty()) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    return batch;
  }

  private boolean full(List<Message> batch) {
    return batch.size() >= source.batchSize()
        || batch.stream().mapToLong(message -> message.body().length()).sum() >= MOST_PAYLOAD_CHARS;
  }

  private List<Message> receive(int most, int waitSeconds) {
    return client
        .receiveMessage(
            request ->
                request
                    .queueUrl(url)
                    .maxNumberOfMessages(Math.min(most, MOST_A_REQUEST))
                    .waitTimeSeconds(waitSeconds)
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                    .messageAttributeNames("All"))
        .messages();
  }

  private void process(List<Message> batch) {
    try {
      SQSBatchResponse response =
          function.invoke(SqsEvents.of(batch, source.queueArn()), SQSBatchResponse.class);
      delete(succeeded(batch, response));
    } catch (RuntimeException fault) {
      LOG.warn(
          "{} failed; its {} messages will be delivered again",
          function.name(),
          batch.size(),
          fault);
    } finally {
      free.release();
    }
  }

  private List<Message> succeeded(List<Message> batch, @Nullable SQSBatchResponse response) {
    if (!source.partialResponses() || response == null || response.getBatchItemFailures() == null) {
      return batch;
    }
    Set<String> failed =
        response.getBatchItemFailures().stream()
            .map(BatchItemFailure::getItemIdentifier)
            .collect(Collectors.toSet());
    Set<String> known = batch.stream().map(Message::messageId).collect(Collectors.toSet());
    if (!known.containsAll(failed)) {
      LOG.warn("{} returned an unknown message id: its whole batch failed", function.name());
      return List.of();
    }
    return batch.stream().filter(message -> !failed.contains(message.messageId())).toList();
  }

  private void delete(List<Message> messages) {
    for (int from = 0; from < messages.size(); from += MOST_A_REQUEST) {
      List<DeleteMessageBatchRequestEntry> entries =
          messages.subList(from, Math.min(from + MOST_A_REQUEST, messages.size())).stream()
              .map(QueuePoller::deletion)
              .toList();
      client.deleteMessageBatch(request -> request.queueUrl(url).entries(entries));
    }
  }

  private static DeleteMessageBatchRequestEntry deletion(Message message) {
    return DeleteMessageBatchRequestEntry.builder()
        .id(message.messageId())
        .receiptHandle(message.receiptHandle())
        .build();
  }
}
