package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.engine.Simulator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages in the queue of the pool. The queue reports the number that it had some time before;
 * sometimes it reports none.
 */
public final class PoolMessages {

  /** Milliseconds by which the number can be out of date; clocks differ by a few seconds more. */
  private static final long LATE = 55_000;

  private static final int UNANSWERED = 8;

  private final Simulator simulator;
  private final SeededRandom random;
  private final NavigableMap<Long, Long> waiting = new TreeMap<>();
  private final Map<String, Long> sent = new HashMap<>();
  private final Map<String, Long> received = new HashMap<>();

  public PoolMessages(Simulator simulator, SeededRandom random) {
    this.simulator = simulator;
    this.random = random;
  }

  /** The identity of a request, from the job and the attempt. */
  static String request(String job, int attempt) {
    return job + " " + attempt;
  }

  /** Records that a message waits: it has arrived, or no worker deleted it in time. */
  void appears(String request) {
    sent.putIfAbsent(request, simulator.now());
    change(1);
  }

  /** Records that a worker has received a message. */
  void vanishes(String request) {
    received.putIfAbsent(request, simulator.now());
    change(-1);
  }

  private void change(long by) {
    long now = waiting.isEmpty() ? 0 : waiting.lastEntry().getValue();
    waiting.put(simulator.now(), now + by);
  }

  /** When a request first arrived; null if it has not. */
  @Nullable Long sentAt(String request) {
    return sent.get(request);
  }

  /** When a worker first received a request; null if none has. */
  @Nullable Long receivedAt(String request) {
    return received.get(request);
  }

  /** How many messages wait, according to the queue. */
  OptionalLong count() {
    long late = random.oneIn(2) ? 0 : random.between(0, LATE);
    Map.Entry<Long, Long> then = waiting.floorEntry(simulator.now() - late);
    return random.oneIn(UNANSWERED)
        ? OptionalLong.empty()
        : OptionalLong.of(then == null ? 0 : then.getValue());
  }
}
