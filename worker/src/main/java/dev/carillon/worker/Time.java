package dev.carillon.worker;

import java.time.Duration;

/** A monotonic clock, and tasks that run at later instants of this clock. */
interface Time extends AutoCloseable {

  /** The nanoseconds of the monotonic clock; only differences have a meaning. */
  long now();

  /** Runs a task after a delay, or at once if the delay is negative. The task may block. */
  Pending after(Duration delay, Runnable task);

  /** A task that has not begun. */
  interface Pending {
    void cancel();
  }

  /** Stops the clock's tasks, and interrupts those that are running. */
  @Override
  default void close() {}

  /** Waits for so long; not at all if the duration is negative. */
  void sleep(Duration duration) throws InterruptedException;
}
