package dev.carillon.bench.burst;

import dev.carillon.bench.harness.Latencies;

/** A scheduler that launches a burst of work that is due in one second. */
interface Contestant {

  String name();

  /**
   * Runs a burst on a store that was empty before. Returns when all work was launched once, at the
   * latest after {@link Runs#longest}. The result has the launches until then.
   */
  Latencies burst(int due);
}
