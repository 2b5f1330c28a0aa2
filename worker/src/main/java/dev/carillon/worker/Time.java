package dev.carillon.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A monotonic clock, and tasks for a later instant of it. */
interface Time extends AutoCloseable {

  /** Nanoseconds of the monotonic clock; only differences have a meaning. */
  long now();

  /** Runs a task, which may block, after a delay; at once if that is negative. */
  Pending after(Duration delay, Runnable task);

  /** A task that has not begun. */
  interface Pending {
    void cancel();
  }

  /** Ends the time; what it runs is interrupted. */
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
