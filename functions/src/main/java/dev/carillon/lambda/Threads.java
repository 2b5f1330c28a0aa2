package dev.carillon.lambda;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a function. */
final class Threads {

  private Threads() {}

  /** Daemons, named {@code name-1} and so on. */
  static ExecutorService pool(String name, int count) {
    AtomicInteger number = new AtomicInteger();
    return Executors.newFixedThreadPool(
        count,
        task -> {
          Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Sleeps at least so long.
   *
   * @throws IllegalStateException if the thread is interrupted
   */
  static void sleep(Duration rest) {
    try {
      Thread.sleep(rest.plusMillis(1).toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped while a job was held", stopped);
    }
  }
}
