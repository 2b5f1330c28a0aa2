package dev.carillon.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The small part of a stored schedule that decides whether its jobs may go on; it is read
 * consistently right before every launch.
 *
 * @param generation the definition's epoch: grows on every change but one of description, tags or
 *     state, and never repeats, not even after a deletion
 * @param activation grows whenever the schedule is created, replaced, suspended, resumed, completed
 *     or deleted; a timer belongs to one activation
 * @param cancelBelow jobs opened under an activation smaller than this are cancelled
 * @param activeSince the schedule makes no job for any instant up to and including this one
 * @param version counts the stored changes; the ETag
 * @param suspension who suspended it, when and why; null unless SUSPENDED
 */
public record Head(
    ScheduleId id,
    long generation,
    ScheduleState state,
    long activation,
    long cancelBelow,
    Instant activeSince,
    long version,
    @Nullable Suspension suspension,
    String program,
    @Nullable String app) {

  /** The state of things behind {@link Head#suspension}. */
  public record Suspension(String mode, @Nullable String reason, String by, Instant at) {}

  public boolean isDeleted() {
    return state == ScheduleState.DELETED;
  }

  /** When it was last created, replaced, suspended or resumed, by the clock of who did it. */
  public Instant changedAt() {
    return suspension != null && suspension.at().isAfter(activeSince)
        ? suspension.at()
        : activeSince;
  }

  /**
   * Whether a fire of this generation at {@code scheduledFor} is still wanted. A COMPLETED schedule
   * has no later fires, but its last ones may be looked at out of order.
   */
  public boolean wantsFire(long ofGeneration, Instant scheduledFor) {
    return (state == ScheduleState.ACTIVE || state == ScheduleState.COMPLETED)
        && generation == ofGeneration
        && scheduledFor.isAfter(activeSince);
  }

  /** Whether a job that was opened under these is still wanted. */
  public boolean wantsJob(long ofGeneration, long ofActivation) {
    return !isDeleted() && generation == ofGeneration && ofActivation >= cancelBelow;
  }
}
