package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** A time that stands still until it is moved; then it runs what is due, on the moving thread. */
final class MovedTime implements Time {

  private static final long LONGEST_WAIT_MILLIS = 20_000;

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private long now;
  private long made;

  private record Task(long at, long number, Runnable work) {}

  @Override
  public synchronized long now() {
    return now;
  }

  @Override
  public synchronized Pending after(Duration delay, Runnable work) {
    Task task = new Task(now + Math.max(0, delay.toNanos()), made++, work);
    tasks.add(task);
    notifyAll();
    return () -> cancel(task);
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Pending alarm = after(duration, end::countDown);
    try {
      end.await();
    } finally {
      alarm.cancel();
    }
  }

  void move(Duration by) {
    long end = now() + by.toNanos();
    for (Optional<Task> next = next(end); next.isPresent(); next = next(end)) {
      next.get().work().run();
    }
    arrive(end);
  }

  private synchronized void arrive(long end) {
    now = end;
  }

  private synchronized Optional<Task> next(long end) {
    Task first = tasks.peek();
    if (first == null || first.at() > end) {
      return Optional.empty();
    }
    now = Math.max(now, first.at());
    return Optional.of(tasks.remove());
  }

  /** Waits until another thread has left something to do at exactly this time from now. */
  synchronized void awaitTaskIn(Duration delay) throws InterruptedException {
    await(() -> tasks.stream().anyMatch(task -> task.at() == now + delay.toNanos()));
  }

  /** Waits until so many things are left to do. */
  synchronized void awaitTasks(int count) throws InterruptedException {
    await(() -> tasks.size() >= count);
  }

  private synchronized void await(BooleanSupplier wanted) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMillis(LONGEST_WAIT_MILLIS).toNanos();
    while (!wanted.getAsBoolean()) {
      assertThat(System.nanoTime()).as("no task came").isLessThan(end);
      wait(LONGEST_WAIT_MILLIS);
    }
  }
}
