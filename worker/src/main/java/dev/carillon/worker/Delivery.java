package dev.carillon.worker;

import java.time.Instant;

/**
 * A launch request as a queue delivered it.
 *
 * @param sentAt when the queue accepted it, by the queue's clock
 * @param receivedAt when it was received, in nanoseconds of the worker's monotonic clock
 */
record Delivery(
    RequestQueue queue,
    String receiptHandle,
    LaunchRequest request,
    Instant sentAt,
    long receivedAt)
    implements Work {

  @Override
  public Source source() {
    return Source.QUEUES;
  }
}
