package dev.carillon.worker;

/** A job that a thread of this worker takes next. */
sealed interface Work permits Delivery, PulledWork {

  Source source();

  LaunchRequest request();

  /** When the work was received, in nanoseconds of the worker's monotonic clock. */
  long receivedAt();
}
