package dev.carillon.worker;

/**
 * Where a worker's jobs come from: its queues together, or one of its pools.
 *
 * @param name for people
 */
record Source(String name) {

  static final Source QUEUES = new Source("queues");
}
