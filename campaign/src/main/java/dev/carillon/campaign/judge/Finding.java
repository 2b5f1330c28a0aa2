package dev.carillon.campaign.judge;

import org.jspecify.annotations.Nullable;

/**
 * A deviation from the required behaviour.
 *
 * @param about the schedule, or the subject of a {@link History.Violation}; "-" for none
 * @param jobId null if the finding is about no single job
 */
public record Finding(Kind kind, String about, @Nullable String jobId, String what) {

  /** The kinds of findings; each is counted separately. */
  public enum Kind {
    /** A required launch never arrived, or an event was not counted. */
    LOST,
    /** A required launch arrived after its bound. */
    LATE,
    /** A second job or attempt for one cause, or a resend that nothing explains. */
    DOUBLED,
    /** A launch that no user asked for. */
    UNASKED,
    EARLY,
    AFTER_DELETE,
    STUCK,
    /**
     * More concurrent attempts than a limit allows, a slot that is not freed, or a waiting job that
     * no check will find.
     */
    LIMIT,
    MISCOUNTED,
    /**
     * A request without an answer although no fault is active, or a function failure that no fault
     * explains.
     */
    BROKEN
  }

  @Override
  public String toString() {
    return kind + " " + about + (jobId == null ? "" : " " + jobId) + ": " + what;
  }
}
