package dev.carillon.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The requests that wait in this process for a thread, the most urgent first. */
final class WaitingRequests {

  // Virtual threads wait for a lock of this kind without holding a thread of the system.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Delivery> requests;
  private final Map<RequestQueue, Integer> byQueue = new HashMap<>();
  private final int most;
  private int idleThreads;
  private boolean isClosed;

  /**
   * @param most how many requests of one queue wait, beside those for idle threads
   */
  WaitingRequests(Urgency order, int most) {
    this.requests = new PriorityQueue<>(order);
    this.most = most;
  }

  /** Adds requests. False if this is closed; then they are not added. */
  boolean add(Collection<Delivery> deliveries) {
    lock.lock();
    try {
      if (isClosed) {
        return false;
      }
      requests.addAll(deliveries);
      deliveries.forEach(delivery -> byQueue.merge(delivery.queue(), 1, Integer::sum));
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a request. Empty once this is closed. */
  Optional<Delivery> take() throws InterruptedException {
    lock.lockInterruptibly();
    idleThreads++;
    try {
      changed.signalAll();
      while (requests.isEmpty() && !isClosed) {
        changed.await();
      }
      Optional<Delivery> next = Optional.ofNullable(requests.poll());
      next.ifPresent(delivery -> byQueue.merge(delivery.queue(), -1, Integer::sum));
      changed.signalAll();
      return next;
    } finally {
      idleThreads--;
      lock.unlock();
    }
  }

  /**
   * Waits until more than half of the places of a queue are free, because to receive many messages
   * costs as much as to receive one.
   *
   * @return how many requests can be added; 0 once this is closed
   */
  int awaitRoom(RequestQueue queue) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isClosed && room(queue) <= most / 2) {
        changed.await();
      }
      return isClosed ? 0 : room(queue);
    } finally {
      lock.unlock();
    }
  }

  private int room(RequestQueue queue) {
    return most - byQueue.getOrDefault(queue, 0) + Math.max(0, idleThreads - requests.size());
  }

  /** Ends all waiting, and returns the requests that no thread took. */
  List<Delivery> close() {
    lock.lock();
    try {
      isClosed = true;
      List<Delivery> rest = new ArrayList<>(requests);
      requests.clear();
      changed.signalAll();
      return rest;
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }
}
