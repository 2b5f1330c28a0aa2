package dev.carillon.run;

import java.time.Duration;

/**
 * How often a tracked job is attempted, and the delay between attempts.
 *
 * @param maxAttempts the largest number of attempts, at least 1
 * @param backoff the longest delay before the second attempt
 * @param rate the factor by which the longest delay grows with each further attempt; at least 1
 * @param maxBackoff the upper limit of the longest delay
 */
public record RetryPolicy(int maxAttempts, Duration backoff, double rate, Duration maxBackoff) {

  public static final RetryPolicy USUAL =
      new RetryPolicy(3, Duration.ofSeconds(10), 2.0, Duration.ofHours(1));

  /** Whether another attempt follows this one if it fails. */
  public boolean allowsAfter(int attempt) {
    return attempt < maxAttempts;
  }

  /**
   * The delay after a failed attempt. It is a part of the longest delay, so that jobs that failed
   * together are not retried together (full jitter).
   *
   * @param attempt the attempt that failed, from 1
   * @param part the part of the longest delay, from 0 to 1
   */
  public Duration delayAfter(int attempt, double part) {
    double grown = (double) backoff.toMillis() * Math.pow(rate, attempt - 1.0);
    double longest = Math.min((double) maxBackoff.toMillis(), grown);
    return Duration.ofMillis(Math.round(longest * part));
  }
}
