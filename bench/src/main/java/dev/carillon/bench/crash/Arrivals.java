package dev.carillon.bench.crash;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * All launch requests from the target queue; a request that is received several times is kept once.
 */
final class Arrivals {

  private final Map<String, Arrival> byMessage = new LinkedHashMap<>();
  private boolean quiet;

  synchronized void add(List<Arrival> received) {
    received.forEach(arrival -> byMessage.putIfAbsent(arrival.messageId(), arrival));
    quiet = received.isEmpty();
    notifyAll();
  }

  synchronized List<Arrival> all() {
    return List.copyOf(byMessage.values());
  }

  /** Waits for the condition; false if it was not met in time. */
  synchronized boolean await(Predicate<List<Arrival>> condition, Duration longest)
      throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    boolean met = condition.test(all());
    while (!met && System.nanoTime() < end) {
      wait(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
      met = condition.test(all());
    }
    return met;
  }

  /** Waits until the consumer finds the queue empty; false if it did not find it empty in time. */
  synchronized boolean awaitQuiet(Duration longest) throws InterruptedException {
    quiet = false;
    return await(arrivals -> quiet, longest);
  }
}
