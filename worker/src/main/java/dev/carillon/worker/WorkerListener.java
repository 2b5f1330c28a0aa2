package dev.carillon.worker;

import java.time.Duration;

/**
 * Is notified of what happens in a worker, for example to count it in metrics. Many threads call
 * its methods at once, and its methods should return soon. Exceptions that they throw are logged.
 */
public interface WorkerListener {

  /**
   * Requests were received, or jobs were pulled.
   *
   * @param queue the name of the queue; for a pool, {@code namespace/name}
   */
  default void received(String queue, int requests) {}

  /**
   * A message stays in its queue, or a pulled job is given back, because it is not a launch request
   * or its program has no handler.
   *
   * @param queue the name of the queue; for a pool, {@code namespace/name}
   */
  default void unhandled(String queue, String reason) {}

  /**
   * A request was not claimed.
   *
   * @param reason {@code superseded} or {@code unknown} if the message is deleted; {@code not yet}
   *     if it is received again. For a job of a pool, the reason is that the claim was lost
   */
  default void unclaimed(LaunchRequest request, String reason) {}

  /**
   * An attempt begins.
   *
   * @param waited the time since its request was received
   */
  default void claimed(ClaimedJob job, Duration waited) {}

  /** A heartbeat was sent. */
  default void heartbeat(ClaimedJob job, boolean isAnswered) {}

  /** A running attempt was stopped. */
  default void stopped(ClaimedJob job, StopReason reason) {}

  /**
   * An attempt ended, and its end was reported as far as possible.
   *
   * @param ran the time since the claim, including the report
   */
  default void ended(ClaimedJob job, JobEnding ending, Duration ran) {}

  /**
   * The worker has stopped polling, because a permission is missing.
   *
   * @param permission the missing permission, and its resource
   */
  default void denied(String permission) {}

  /**
   * A request failed. Unless the refusal is final, the worker sends it again.
   *
   * @param doing what the worker was doing
   */
  default void trouble(String doing, RuntimeException cause) {}
}
