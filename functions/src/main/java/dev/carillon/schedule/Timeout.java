package dev.carillon.schedule;

import java.time.Duration;

/**
 * How long a job waits at most, for its trigger and for its constraints together.
 *
 * @param after the longest wait, counted from the job's first event, its fire, or the launch-now
 *     call
 */
public record Timeout(Duration after, Action action) {

  /** The effect of the time-out on a job that still waits. */
  public enum Action {
    /** The job ends TIMED_OUT. */
    DISCARD,
    /** The job launches with the events that it has, as soon as no concurrency limit forbids it. */
    LAUNCH
  }
}
