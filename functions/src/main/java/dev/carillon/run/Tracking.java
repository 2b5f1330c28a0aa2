package dev.carillon.run;

import java.time.Duration;

/**
 * The time-outs of the runs of a tracked target.
 *
 * @param enqueueTimeout how long a request waits for a claim
 * @param claimTimeout the time after its claim within which the first report must come
 * @param heartbeatTimeout the longest time between two reports
 * @param runTimeout the time after its first report within which the run must end
 */
public record Tracking(
    Duration enqueueTimeout,
    Duration claimTimeout,
    Duration heartbeatTimeout,
    Duration runTimeout) {

  public static final Tracking USUAL =
      new Tracking(
          Duration.ofMinutes(15),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofHours(6));
}
