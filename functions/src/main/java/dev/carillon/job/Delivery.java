package dev.carillon.job;

import dev.carillon.run.Run;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a job's two messages: the launch request and the callback.
 *
 * @param attempt the number of the launch request, from 1; a resend is the same attempt
 * @param launchedAt when the target queue accepted it; null if it has not
 * @param refusals how many times in a row the request was refused
 * @param run what is known of the run; null for a job that is not tracked, or was never launched
 * @param callback the progress of the callback; null if the schedule wants none
 */
public record Delivery(
    int attempt,
    @Nullable Instant launchedAt,
    int refusals,
    @Nullable Run run,
    @Nullable Callback callback) {

  /** The longest delay before a refused request is sent again. */
  public static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  static final Delivery NONE = new Delivery(1, null, 0, null, null);

  Delivery accepted(Instant at) {
    return new Delivery(attempt, at, 0, run, callback);
  }

  Delivery refused() {
    return new Delivery(attempt, null, refusals + 1, run, callback);
  }

  /**
   * The messages of a job whose constraints are checked from the beginning: earlier refusals no
   * longer count.
   */
  Delivery restarted() {
    return new Delivery(attempt, null, 0, run, callback);
  }

  Delivery with(Run newRun) {
    return new Delivery(attempt, launchedAt, refusals, newRun, callback);
  }

  Delivery with(Callback newCallback) {
    return new Delivery(attempt, launchedAt, refusals, run, newCallback);
  }

  /** The messages of the next attempt, whose end has a callback of its own. */
  Delivery next(Run unclaimed) {
    Callback own = callback == null ? null : Callback.UNSENT;
    return new Delivery(attempt + 1, null, 0, unclaimed, own);
  }

  /** The delay before the next send. */
  Duration backoff() {
    return backoff(refusals);
  }

  /** The delay after this many refusals. It doubles with each of them, up to the longest. */
  static Duration backoff(int refusals) {
    Duration doubled = Duration.ofSeconds(1L << Math.min(refusals, 9));
    return doubled.compareTo(LONGEST_BACKOFF) < 0 ? doubled : LONGEST_BACKOFF;
  }
}
