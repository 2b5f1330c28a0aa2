package dev.carillon.api;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failure of a request that changes many schedules, after it changed some of them. */
final class Incomplete {

  private static final Logger LOG = LoggerFactory.getLogger(Incomplete.class);

  private Incomplete() {}

  /**
   * The failure itself if nothing was changed yet: a 4xx or a 500 would say so. Otherwise a 503
   * that says how far the request got.
   *
   * @param done what was done to the schedules, like "changed"
   */
  static RuntimeException after(long number, int all, String done, RuntimeException failure) {
    if (number == 0) {
      return failure;
    }
    String far = "%d of %d schedules were %s; then: ".formatted(number, all, done);
    if (failure instanceof Problem refusal) {
      return Problem.unavailable(far + refusal.detail(), refusal);
    }
    LOG.warn(
        "{} of {} schedules were {} before a failure; the caller is asked to repeat the request",
        number,
        all,
        done,
        failure);
    return Problem.unavailable(far + "the request failed in Carillon; send the same request again");
  }
}
