package dev.carillon.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The messages that this process has received. Their visibility is extended until they are deleted
 * or returned to their queues.
 */
final class HeldRequests {

  private static final Duration INTERVAL = RequestQueue.VISIBILITY.dividedBy(3);
  private static final Duration LONGEST_DELETION = Duration.ofSeconds(2);

  private final Set<Delivery> held = ConcurrentHashMap.newKeySet();

  /** The messages to delete. An empty element ends the thread that deletes them. */
  private final BlockingQueue<Optional<Delivery>> deleted = new LinkedBlockingQueue<>();

  private final Thread deleter =
      Threads.named("carillon-worker-deleter").newThread(this::deleteUntilTheEnd);

  /**
   * While a thread holds this lock, no other thread changes the visibility of a message. So no
   * thread makes a message invisible after another thread has given it back to its queue.
   */
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
    deleter.start();
    extendLater();
  }

  private void extendLater() {
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
      extendLater();
    }
  }

  /**
   * Queues the message for deletion, together with messages of other threads. Does not wait for the
   * deletion. If it fails, the message is received again, and its claim is refused.
   */
  void delete(Delivery delivery) {
    held.remove(delivery);
    deleted.add(Optional.of(delivery));
  }

  private void deleteUntilTheEnd() {
    boolean goesOn = true;
    while (goesOn) {
      try {
        List<Optional<Delivery>> batch = new ArrayList<>(List.of(deleted.take()));
        deleted.drainTo(batch);
        goesOn = batch.stream().allMatch(Optional::isPresent);
        byQueue(
            batch.stream().flatMap(Optional::stream).toList(),
            RequestQueue::delete,
            queue -> "deleting messages from " + queue.name());
      } catch (InterruptedException stray) {
        // The worker never interrupts this thread. If other code does, the remaining messages are
        // received again.
        goesOn = false;
      } catch (Error fault) {
        // The loop goes on: without it, no message would be deleted any more.
        listener.trouble("deleting messages", new IllegalStateException(fault));
      }
    }
  }

  /** Waits until all messages are deleted, but no longer than {@link #LONGEST_DELETION}. */
  void end() throws InterruptedException {
    deleted.add(Optional.empty());
    deleter.join(LONGEST_DELETION.toMillis());
  }

  /** Leaves the message as it is: other receivers get it after its visibility time-out. */
  void leave(Delivery delivery) {
    held.remove(delivery);
  }

  /** Returns messages to their queues, so that other workers can receive them at once. */
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
    byQueue(
        deliveries,
        (queue, receiptHandles) -> queue.setVisibility(receiptHandles, after),
        queue -> "changing the visibility of messages of " + queue.name());
  }

  private void byQueue(
      Collection<Delivery> deliveries,
      BiConsumer<RequestQueue, List<String>> change,
      Function<RequestQueue, String> doing) {
    Map<RequestQueue, List<Delivery>> queues =
        deliveries.stream().collect(Collectors.groupingBy(Delivery::queue));
    queues.forEach(
        (queue, ofQueue) -> {
          try {
            change.accept(queue, ofQueue.stream().map(Delivery::receiptHandle).toList());
          } catch (DeniedException denied) {
            onDenial.accept(denied);
          } catch (RuntimeException failure) {
            listener.trouble(doing.apply(queue), failure);
          }
        });
  }
}
