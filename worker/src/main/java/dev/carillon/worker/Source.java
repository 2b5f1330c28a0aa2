package dev.carillon.worker;

/**
 * A source of a worker's jobs: all its queues together, or one of its pools.
 *
 * @param name the name in logs and error texts
 */
record Source(String name) {

  static final Source QUEUES = new Source("queues");
}
