package dev.carillon.bench.burst;

import dev.carillon.bench.harness.Latencies;

/** A scheduler that launches a burst of work that is due in one second. */
interface Contestant {

  String name();

  /**
   * Runs a burst on empty storage. Returns when all work was launched once; after {@link
   * Runs#longest}, returns the launches so far.
   */
  Latencies burst(int due);
}
