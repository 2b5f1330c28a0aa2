package dev.carillon.bench.burst;

import dev.carillon.bench.harness.Latencies;

/** A scheduler that launches some work, all due at one second. */
interface Contestant {

  String name();

  /**
   * Begins on empty storage, and returns when everything was launched once, or after {@link
   * Runs#longest}: then with what was launched until then.
   */
  Latencies burst(int due);
}
