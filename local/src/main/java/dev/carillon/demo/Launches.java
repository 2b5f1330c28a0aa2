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

  /** Waits until the condition is met, but no longer than the given time. */
  synchronized void await(Predicate<List<Launch>> condition, Duration longest)
      throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    long left = longest.toMillis();
    while (left > 0 && !condition.test(all())) {
      wait(left);
      left = Duration.ofNanos(end - System.nanoTime()).toMillis();
    }
  }
}
