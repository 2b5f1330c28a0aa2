package dev.carillon.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The launch requests that have arrived. */
final class Launches {

  private final List<Launch> arrived = new ArrayList<>();

  synchronized void add(Launch launch) {
    arrived.add(launch);
    notifyAll();
  }

  synchronized List<Launch> all() {
    return List.copyOf(arrived);
  }

  /** Returns when the condition is met, or when patience ends. */
  synchronized void await(Predicate<List<Launch>> condition, Duration timeouts)
      throws InterruptedException {
    long end = System.nanoTime() + timeouts.toNanos();
    long left = timeouts.toMillis();
    while (left > 0 && !condition.test(all())) {
      wait(left);
      left = Duration.ofNanos(end - System.nanoTime()).toMillis();
    }
  }
}
