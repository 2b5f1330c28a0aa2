package dev.carillon.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a job's launch request has come.
 *
 * @param attempt which launch request is meant, from 1; a resend is the same attempt
 * @param launchedAt when the target queue accepted it; null if it has not
 * @param refusals how often in a row it was not accepted
 */
public record Delivery(int attempt, @Nullable Instant launchedAt, int refusals) {

  /** The longest pause between two tries to send a refused request. */
  public static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  static final Delivery NONE = new Delivery(1, null, 0);

  Delivery accepted(Instant at) {
    return new Delivery(attempt, at, 0);
  }

  Delivery refused() {
    return new Delivery(attempt, null, refusals + 1);
  }

  /** Its constraints are checked from the beginning: a refusal before does not count any more. */
  Delivery restarted() {
    return new Delivery(attempt, null, 0);
  }

  /** The pause before the next try: it doubles with each refusal, up to the longest. */
  Duration backoff() {
    Duration doubled = Duration.ofSeconds(1L << Math.min(refusals, 9));
    return doubled.compareTo(LONGEST_BACKOFF) < 0 ? doubled : LONGEST_BACKOFF;
  }
}
