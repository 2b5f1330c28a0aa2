package dev.carillon.local;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that do not keep the JVM alive. */
final class Daemon {

  private static final long STOP_MILLIS = 2_000;

  private Daemon() {}

  static ThreadFactory threads(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Waits a limited time for running tasks; no further task is started. */
  static void stop(ExecutorService workers) {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException stop) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
