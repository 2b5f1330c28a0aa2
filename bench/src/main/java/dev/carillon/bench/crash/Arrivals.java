package dev.carillon.bench.crash;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** All launch requests that were in the target queue, each once, whoever received it how often. */
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

  /** Whether the condition was met in time. */
  synchronized boolean await(Predicate<List<Arrival>> condition, Duration timeouts)
      throws InterruptedException {
    long end = System.nanoTime() + timeouts.toNanos();
    boolean met = condition.test(all());
    while (!met && System.nanoTime() < end) {
      wait(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
      met = condition.test(all());
    }
    return met;
  }

  /** Whether, in time, the queue was found empty after this was called. */
  synchronized boolean awaitQuiet(Duration timeouts) throws InterruptedException {
    quiet = false;
    return await(arrivals -> quiet, timeouts);
  }
}
