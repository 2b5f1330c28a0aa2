package dev.carillon.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A monotonic clock, and tasks that run at later instants of this clock. */
interface Time extends AutoCloseable {

  /** The nanoseconds of the monotonic clock; only differences have a meaning. */
  long now();

  /** Runs a task, which may block, after a delay; at once if the delay is negative. */
  Pending after(Duration delay, Runnable task);

  /** A task that has not begun. */
  interface Pending {
    void cancel();
  }

  /** Stops the clock's tasks; running ones are interrupted. */
  @Override
  default void close() {}

  default void sleep(Duration duration) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Pending alarm = after(duration, over::countDown);
    try {
      over.await();
    } finally {
      alarm.cancel();
    }
  }
}
