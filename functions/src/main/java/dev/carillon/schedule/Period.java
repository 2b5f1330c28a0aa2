package dev.carillon.schedule;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a schedule's life with one rule for its jobs. It ends where the next period begins.
 *
 * @param mode how the schedule is suspended; null while it is not
 * @param from the period begins after this instant, which is truncated to milliseconds as it is
 *     stored
 */
public record Period(@Nullable SuspendMode mode, Instant from) {

  public Period {
    from = from.truncatedTo(ChronoUnit.MILLIS);
  }

  boolean isSuspended() {
    return mode != null;
  }

  /** Whether the period is a suspension whose new jobs launch when the schedule is resumed. */
  boolean isBacklog() {
    return mode != null && mode.makesJobs();
  }

  /** Whether fires and events make jobs. */
  boolean makesJobs() {
    return mode == null || mode.makesJobs();
  }

  /** Whether jobs wait until the period ends. */
  boolean holdsJobs() {
    return mode != null && mode.holdsJobs();
  }

  /** Whether existing jobs outlive the period. */
  boolean keepsJobs() {
    return mode == null || mode.keepsJobs();
  }
}
