package dev.carillon.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work that waits in this process for a thread: first pulled jobs, for which threads are
 * reserved, then the requests of queues, the most urgent first.
 */
final class WaitingRequests {

  // Unlike {@code synchronized}, this lock lets a virtual thread wait without holding an operating
  // system thread.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Delivery> requests;
  private final Map<RequestQueue, Integer> byQueue = new HashMap<>();
  private final Queue<PulledWork> pulled = new ArrayDeque<>();
  private final Shares shares;
  private final int most;
  private boolean isClosed;

  /**
   * @param most how many requests of one queue may wait, in addition to those for idle threads
   */
  WaitingRequests(Urgency order, Shares shares, int most) {
    this.requests = new PriorityQueue<>(order);
    this.shares = shares;
    this.most = most;
  }

  /**
   * Adds requests of one queue, the most urgent first, as far as there is room for them. While they
   * were received, other queues or pools may have taken the idle threads.
   *
   * @return the requests that were not added; all of them if this object is closed
   */
  List<Delivery> add(RequestQueue queue, Collection<Delivery> deliveries) {
    lock.lock();
    try {
      List<Delivery> inOrder = new ArrayList<>(deliveries);
      inOrder.sort(requests.comparator());
      int count = isClosed ? 0 : Math.max(0, Math.min(room(queue), inOrder.size()));
      requests.addAll(inOrder.subList(0, count));
      byQueue.merge(queue, count, Integer::sum);
      shares.want(Source.QUEUES, !requests.isEmpty());
      changed.signalAll();
      return inOrder.subList(count, inOrder.size());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for work. The result is empty once this object is closed.
   *
   * @param mustClose whether to close this object; asked once a second, and before work is taken
   */
  Optional<Work> take(BooleanSupplier mustClose) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      isClosed = isClosed || mustClose.getAsBoolean();
      while (pulled.isEmpty() && !isRequestNext() && !isClosed) {
        changed.await(1, TimeUnit.SECONDS);
        isClosed = isClosed || mustClose.getAsBoolean();
      }
      if (!pulled.isEmpty()) {
        return Optional.of(pulled.remove());
      }
      return isClosed ? Optional.empty() : Optional.ofNullable(request());
    } finally {
      lock.unlock();
    }
  }

  private boolean isRequestNext() {
    return !requests.isEmpty() && shares.isNext(Source.QUEUES);
  }

  private @Nullable Delivery request() {
    Delivery next = requests.poll();
    if (next != null) {
      byQueue.merge(next.queue(), -1, Integer::sum);
      shares.use(Source.QUEUES);
      shares.want(Source.QUEUES, !requests.isEmpty());
      changed.signalAll();
    }
    return next;
  }

  /** Frees the thread that took the work, because the work has ended. */
  void ended(Work work) {
    release(work.source(), 1);
  }

  private void release(Source source, int count) {
    lock.lock();
    try {
      shares.release(source, count);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a pool may use a thread, and reserves at most as many free threads as wanted.
   *
   * @param wanted at least 1
   * @return how many were reserved; 0 once this object is closed
   */
  int reserve(Source pool, int wanted) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      shares.want(pool, true);
      while (!isClosed && !shares.isNext(pool)) {
        changed.await();
      }
      int reserved = 0;
      while (!isClosed && reserved < wanted && shares.isNext(pool)) {
        shares.use(pool);
        reserved++;
      }
      return reserved;
    } finally {
      shares.want(pool, false);
      changed.signalAll();
      lock.unlock();
    }
  }

  /**
   * Lets reserved threads begin jobs, and releases the other reserved threads.
   *
   * @return false if this object is closed; then no job begins
   */
  boolean begin(Source pool, int reserved, Collection<PulledWork> jobs) {
    lock.lock();
    try {
      List<PulledWork> begun = isClosed ? List.of() : List.copyOf(jobs);
      pulled.addAll(begun);
      shares.release(pool, reserved - begun.size());
      changed.signalAll();
      return !isClosed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until more than half of the places of a queue are free, because a receive costs the same
   * for many messages as for one.
   *
   * @return how many requests can be added; 0 once this object is closed
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
    return most
        - byQueue.getOrDefault(queue, 0)
        + Math.max(0, shares.free(Source.QUEUES) - requests.size());
  }

  /**
   * Ends all waiting, and returns the requests that no thread took. Pulled jobs are not returned:
   * they have their threads, and begin.
   */
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
