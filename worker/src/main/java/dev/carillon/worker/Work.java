package dev.carillon.worker;

/** A job that a thread of this worker takes next. */
sealed interface Work permits Delivery, PulledWork {

  Source source();

  LaunchRequest request();

  /** Nanoseconds of the worker's monotonic clock. */
  long receivedAt();
}
