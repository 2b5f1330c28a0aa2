package dev.carillon.campaign.judge;

import org.jspecify.annotations.Nullable;

/**
 * Something that should not have happened, or did not happen.
 *
 * @param about the schedule, or what a {@link History.Violation} is about; "-" for none
 * @param jobId null if there is none
 */
public record Finding(Kind kind, String about, @Nullable String jobId, String what) {

  /** What is counted apart. */
  public enum Kind {
    /** A launch that had to be was not, or an event was not counted. */
    LOST,
    /** A launch came, but after its bound. */
    LATE,
    /** A second job or attempt for one thing, or a resend that nothing explains. */
    DOUBLED,
    /** A launch that nobody asked for. */
    UNASKED,
    EARLY,
    AFTER_DELETE,
    STUCK,
    /** More at once than a limit allows, a slot that is not freed, a waiter that is forgotten. */
    LIMIT,
    MISCOUNTED,
    /** Nobody answers although nothing is wrong, or a function fails as no fault makes it fail. */
    BROKEN
  }

  @Override
  public String toString() {
    return kind + " " + about + (jobId == null ? "" : " " + jobId) + ": " + what;
  }
}
