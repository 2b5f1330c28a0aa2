package dev.carillon.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The messages that this process has received and neither deleted nor left to their queues. Their
 * visibility is extended until then.
 */
final class HeldRequests {

  private static final Duration INTERVAL = RequestQueue.VISIBILITY.dividedBy(3);

  private final Set<Delivery> held = ConcurrentHashMap.newKeySet();

  /** So that no extension reaches a queue after a request was given back to it. */
  private final ReentrantLock changing = new ReentrantLock();

  private final Time time;
  private final WorkerListener listener;
  private final Consumer<DeniedException> onDenial;

  HeldRequests(Time time, WorkerListener listener, Consumer<DeniedException> onDenial) {
    this.time = time;
    this.listener = listener;
    this.onDenial = onDenial;
  }

  void start() {
    time.after(INTERVAL, this::extend);
  }

  void hold(Collection<Delivery> deliveries) {
    held.addAll(deliveries);
  }

  private void extend() {
    changing.lock();
    try {
      setVisibility(held, RequestQueue.VISIBILITY);
    } finally {
      changing.unlock();
    }
    start();
  }

  /** Deletes the message. If that fails, it is received again, and its claim is refused. */
  void delete(Delivery delivery) {
    held.remove(delivery);
    try {
      delivery.queue().delete(delivery.receiptHandle());
    } catch (DeniedException denied) {
      onDenial.accept(denied);
    } catch (RuntimeException failure) {
      listener.trouble("deleting a message from " + delivery.queue().name(), failure);
    }
  }

  /** Other receivers see the message when its visibility time-out is over. */
  void leave(Delivery delivery) {
    held.remove(delivery);
  }

  /** Other workers can receive the requests at once. */
  void giveBack(Collection<Delivery> deliveries) {
    held.removeAll(Set.copyOf(deliveries));
    changing.lock();
    try {
      setVisibility(deliveries, Duration.ZERO);
    } finally {
      changing.unlock();
    }
  }

  private void setVisibility(Collection<Delivery> deliveries, Duration after) {
    deliveries.stream()
        .collect(Collectors.groupingBy(Delivery::queue))
        .entrySet()
        .forEach(
            queue -> {
              try {
                queue
                    .getKey()
                    .setVisibility(
                        queue.getValue().stream().map(Delivery::receiptHandle).toList(), after);
              } catch (DeniedException denied) {
                onDenial.accept(denied);
              } catch (RuntimeException failure) {
                listener.trouble(
                    "changing the visibility of messages of " + queue.getKey().name(), failure);
              }
            });
  }
}
