package dev.carillon.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Receives requests from one queue, on a thread of its own, while there is room for them. */
final class Poller {

  private final RequestQueue queue;
  private final Store store;
  private final Handlers handlers;
  private final Backoff backoff;
  private final Time time;
  private final WorkerListener listener;
  private final Consumer<DeniedException> onDenial;
  private final Thread thread;
  private final Pauses pauses;
  private int failures;

  /** The places for received requests. */
  record Store(WaitingRequests waiting, HeldRequests held) {

    /** Adds the requests for which there is room, and gives the others back. */
    void add(RequestQueue queue, List<Delivery> deliveries) {
      held.hold(deliveries);
      held.giveBack(waiting.add(queue, deliveries));
    }
  }

  Poller(
      RequestQueue queue,
      Store store,
      Handlers handlers,
      Backoff backoff,
      Time time,
      WorkerListener listener,
      Consumer<DeniedException> onDenial) {
    this.queue = queue;
    this.store = store;
    this.handlers = handlers;
    this.backoff = backoff;
    this.time = time;
    this.listener = listener;
    this.onDenial = onDenial;
    this.pauses = new Pauses(store.waiting(), time);
    this.thread = new Thread(this::run, "carillon-worker-poller " + queue.name());
  }

  void start() {
    thread.start();
  }

  /**
   * Ends the polling. The caller must close the waiting requests first. The call interrupts only a
   * pause. If a running request to SQS still brings messages, they go back to the queue.
   */
  void stop() {
    pauses.end();
  }

  private void run() {
    try {
      int room = store.waiting().awaitRoom(queue);
      while (room > 0) {
        poll(room);
        room = store.waiting().awaitRoom(queue);
      }
    } catch (InterruptedException closing) {
      // Only the end of the polling interrupts this thread, and then it has nothing more to do.
    }
  }

  private void poll(int room) throws InterruptedException {
    try {
      accept(queue.receive(room));
      failures = 0;
    } catch (DeniedException denied) {
      onDenial.accept(denied);
    } catch (RuntimeException failure) {
      failed(failure);
    } catch (Error fault) {
      // The loop goes on: without it, the worker would receive nothing more from the queue.
      failed(new IllegalStateException(fault));
    }
  }

  private void failed(RuntimeException failure) throws InterruptedException {
    if (!store.waiting().isClosed()) {
      failures++;
      listener.trouble("receiving from " + queue.name(), failure);
      pauses.pause(backoff.pause(failures));
    }
  }

  private void accept(List<RequestQueue.Message> messages) {
    List<Delivery> deliveries = new ArrayList<>();
    for (RequestQueue.Message message : messages) {
      try {
        LaunchRequest request = LaunchRequest.of(message.body(), message.attributes());
        if (handlers.of(request).isPresent()) {
          deliveries.add(
              new Delivery(queue, message.receiptHandle(), request, message.sentAt(), time.now()));
        } else {
          listener.unhandled(queue.name(), Handlers.missing(request));
        }
      } catch (IllegalArgumentException invalid) {
        listener.unhandled(queue.name(), String.valueOf(invalid.getMessage()));
      }
    }
    if (!deliveries.isEmpty()) {
      store.add(queue, deliveries);
      listener.received(queue.name(), deliveries.size());
    }
  }
}
