package dev.carillon.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The messages that this process has received and neither deleted nor left to their queues. Their
 * visibility is extended until then.
 */
final class HeldRequests {

  private static final Duration INTERVAL = RequestQueue.VISIBILITY.dividedBy(3);

  private final Set<Delivery> held = ConcurrentHashMap.newKeySet();
  private final Time time;
  private final WorkerListener listener;

  HeldRequests(Time time, WorkerListener listener) {
    this.time = time;
    this.listener = listener;
  }

  void start() {
    time.after(INTERVAL, this::extend);
  }

  void hold(Collection<Delivery> deliveries) {
    held.addAll(deliveries);
  }

  private void extend() {
    setVisibility(held, RequestQueue.VISIBILITY);
    start();
  }

  /** Deletes the message. If that fails, it is received again, and its claim is refused. */
  void delete(Delivery delivery) {
    held.remove(delivery);
    try {
      delivery.queue().delete(delivery.receiptHandle());
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
    setVisibility(deliveries, Duration.ZERO);
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
              } catch (RuntimeException failure) {
                listener.trouble(
                    "changing the visibility of messages of " + queue.getKey().name(), failure);
              }
            });
  }
}
