package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.SeededRandom;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operations that a worker reports next. The worker carries its operations out one after
 * another.
 */
final class OperationSteps {

  private static final String RUNNING = "RUNNING";
  private static final String SUCCEEDED = "SUCCEEDED";

  private final SeededRandom random;

  /** The states as the worker knows them. */
  private final Map<String, String> states = new TreeMap<>();

  /**
   * @param states the states in the answer to the claim
   */
  OperationSteps(SeededRandom random, Map<String, String> states) {
    this.random = random;
    this.states.putAll(states);
  }

  /** The states that have changed since the last report; empty if all operations are done. */
  Map<String, String> next() {
    Map<String, String> changed = new TreeMap<>();
    for (Map.Entry<String, String> one : states.entrySet()) {
      boolean isRunning = one.getValue().equals(RUNNING);
      if (one.getValue().equals(SUCCEEDED)) {
        continue;
      }
      String next = isRunning && random.oneIn(6) ? "FAILED" : isRunning ? SUCCEEDED : RUNNING;
      one.setValue(!isRunning && random.oneIn(3) ? SUCCEEDED : next);
      changed.put(one.getKey(), one.getValue());
      if (one.getValue().equals(SUCCEEDED) && random.oneIn(2)) {
        continue;
      }
      break;
    }
    return changed;
  }
}
