package dev.carillon.job;

import dev.carillon.run.Run;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the launch request of a job has got.
 *
 * @param attempt the number of the launch request, from 1; a resend is the same attempt
 * @param launchedAt when the target queue accepted it; null if it has not
 * @param refusals how many times in a row it was refused
 * @param run what is known of the run; null for a job that is not tracked, or was never launched
 */
public record Delivery(int attempt, @Nullable Instant launchedAt, int refusals, @Nullable Run run) {

  /** The longest delay before a refused request is sent again. */
  public static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  static final Delivery NONE = new Delivery(1, null, 0, null);

  Delivery accepted(Instant at) {
    return new Delivery(attempt, at, 0, run);
  }

  Delivery refused() {
    return new Delivery(attempt, null, refusals + 1, run);
  }

  /** The constraints are checked from the beginning, so earlier refusals no longer count. */
  Delivery restarted() {
    return new Delivery(attempt, null, 0, run);
  }

  Delivery with(Run newRun) {
    return new Delivery(attempt, launchedAt, refusals, newRun);
  }

  /** For the next attempt. */
  Delivery next(Run unclaimed) {
    return new Delivery(attempt + 1, null, 0, unclaimed);
  }

  /** The delay before the next send. It doubles with each refusal, up to the longest. */
  Duration backoff() {
    Duration doubled = Duration.ofSeconds(1L << Math.min(refusals, 9));
    return doubled.compareTo(LONGEST_BACKOFF) < 0 ? doubled : LONGEST_BACKOFF;
  }
}
