package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A queue in memory. What is received stays invisible until it is made visible. */
final class MemoryQueue implements RequestQueue {

  private static final Message END = new Message("end", "", Map.of(), Instant.EPOCH);

  private final BlockingQueue<Message> visible = new LinkedBlockingQueue<>();
  private final Map<String, Message> received = new HashMap<>();
  final BlockingQueue<String> deleted = new LinkedBlockingQueue<>();
  final BlockingQueue<String> extended = new LinkedBlockingQueue<>();
  final BlockingQueue<String> returned = new LinkedBlockingQueue<>();
  volatile RuntimeException fault;

  /** Messages are made visible again only when this latch opens. */
  volatile CountDownLatch returning = new CountDownLatch(0);

  private final Semaphore receives = new Semaphore(0);
  private int sent;

  /** Sends a launch request. Its receipt handle is the job id and a number that counts. */
  void send(String jobId, int attempt, int priority) {
    send(jobId, attempt, priority, "team/exporter");
  }

  void send(String jobId, int attempt, int priority, String program) {
    send("{\"job\": \"" + jobId + "\"}", attributes(jobId, attempt, priority, program));
  }

  /** The attributes of a launch request. */
  static Map<String, String> attributes(String jobId, int attempt, int priority, String program) {
    return Map.of(
        "carillon-job-id",
        jobId,
        "carillon-attempt",
        Integer.toString(attempt),
        "carillon-schedule",
        "team/nightly",
        "carillon-program",
        program,
        "carillon-scheduled-for",
        "2026-01-01T03:00:00Z",
        "carillon-priority",
        Integer.toString(priority));
  }

  synchronized void send(String body, Map<String, String> attributes) {
    sent++;
    String handle = attributes.getOrDefault("carillon-job-id", "none") + "#" + sent;
    visible.add(new Message(handle, body, attributes, Instant.ofEpochSecond(sent)));
  }

  /** The present request ends without a message. */
  void end() {
    visible.add(END);
  }

  @Override
  public String name() {
    return "exports";
  }

  /** Waits until so many requests were begun. */
  void awaitReceives(int count) throws InterruptedException {
    assertThat(receives.tryAcquire(count, 20, TimeUnit.SECONDS)).isTrue();
  }

  @Override
  public List<Message> receive(int most) {
    receives.release();
    if (fault != null) {
      throw fault;
    }
    List<Message> messages = new ArrayList<>();
    try {
      messages.add(visible.take());
      if (messages.contains(END)) {
        return List.of();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", closing);
    }
    visible.drainTo(messages, most - 1);
    synchronized (this) {
      messages.forEach(message -> received.put(message.receiptHandle(), message));
    }
    return messages;
  }

  @Override
  public void delete(List<String> receiptHandles) {
    deleted.addAll(receiptHandles);
  }

  @Override
  public void setVisibility(List<String> receiptHandles, Duration after) {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("the SDK breaks off requests of an interrupted thread");
    }
    if (after.isZero()) {
      awaitReturning();
    }
    (after.isZero() ? returned : extended).addAll(receiptHandles);
  }

  private void awaitReturning() {
    try {
      returning.await();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }
}
