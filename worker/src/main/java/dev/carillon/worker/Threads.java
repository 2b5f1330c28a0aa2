package dev.carillon.worker;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The kinds of threads that a worker has. */
final class Threads {

  private Threads() {}

  /** Threads that do not keep the program alive. */
  static ThreadFactory named(String name) {
    AtomicInteger made = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * A virtual thread for each task.
   *
   * @throws IllegalStateException if the JVM has no virtual threads
   */
  static ExecutorService virtual() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException absent) {
      throw new IllegalStateException(
          "Java %s has no virtual threads; use Java 21 or newer, or threads(n)"
              .formatted(Runtime.version().feature()),
          absent);
    }
  }
}
