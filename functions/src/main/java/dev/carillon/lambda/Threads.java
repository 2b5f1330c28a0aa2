package dev.carillon.lambda;

import dev.carillon.runtime.Sleeper;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Thread pools and sleeping. */
final class Threads {

  private Threads() {}

  /** A pool of daemon threads, named {@code name-1} and so on. */
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
   * Sleeps at least for a duration.
   *
   * @throws Sleeper.Interrupted if the thread is interrupted; the thread stays interrupted
   */
  static void sleep(Duration rest) {
    try {
      Thread.sleep(rest.plusMillis(1).toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Sleeper.Interrupted(stopped);
    }
  }
}
