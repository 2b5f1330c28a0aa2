package dev.carillon.schedule;

import java.time.Duration;

/**
 * How long a job waits at most, for its trigger and for its constraints together.
 *
 * @param after counted from its first event, its fire, or the call of who launched it
 */
public record Timeout(Duration after, Action action) {

  /** What becomes of a job that has waited for so long. */
  public enum Action {
    /** It ends TIMED_OUT. */
    DISCARD,
    /** It is launched as it is, as soon as no concurrency limit forbids it. */
    LAUNCH
  }
}
