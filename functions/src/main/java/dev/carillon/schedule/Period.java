package dev.carillon.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a schedule's life in which one thing is done with its jobs. It ends where the next
 * one begins.
 *
 * @param mode how the schedule is suspended; null while it is not
 * @param from the period begins behind this instant; to the millisecond, as it is stored
 */
public record Period(@Nullable SuspendMode mode, Instant from) {

  public Period {
    from = from.truncatedTo(ChronoUnit.MILLIS);
  }

  boolean isSuspended() {
    return mode != null;
  }

  /** Whether it is suspended and makes jobs that launch when it is resumed. */
  boolean isBacklog() {
    return mode != null && mode.makesJobs();
  }

  /** Whether fires and events make jobs. */
  boolean makesJobs() {
    return mode == null || mode.makesJobs();
  }

  /** Whether jobs have to wait for its end. */
  boolean holdsJobs() {
    return mode != null && mode.holdsJobs();
  }

  /** Whether jobs that exist outlive it. */
  boolean keepsJobs() {
    return mode == null || mode.keepsJobs();
  }
}
