package dev.carillon.job;

import java.util.List;

/**
 * Why a job made a transition. The names are stored, and part of the API: a code keeps its name and
 * the order of its arguments.
 */
public enum ReasonCode {
  /** A caller asked for it. */
  LAUNCHED_BY_HAND("launched by hand"),
  /** Arguments: the time-out, a duration. */
  LAUNCHED_AT_TIMEOUT("its time-out of %s has passed: it is launched as it is"),
  /** Another launcher held it before, and did not say how that ended. */
  LAUNCH_INTERRUPTED("its launch was interrupted"),
  /** Arguments: what the template could not be filled with. */
  TEMPLATE_INCOMPLETE("%s"),
  /** It waits or, with {@code onUnmet: skip}, is over. Arguments: what its constraints say. */
  CONSTRAINTS_UNMET("%s"),
  /** It waits for the end of a suspension. Arguments: by whom, since when and how. */
  HELD_BY_SUSPENSION("its schedule is %s"),
  /** The target queue did not accept the request; it is tried again. Arguments: what it said. */
  REQUEST_REFUSED("%s"),
  /** The deployment does not allow the target now; it is tried again. Arguments: why not. */
  TARGET_NOT_ALLOWED("%s"),
  /** Arguments: how many checks of it failed. */
  CHECKS_FAILED("checking it failed %s times"),
  /** No queue would ever accept the request. Arguments: why not. */
  REQUEST_IMPOSSIBLE("%s"),
  /** Arguments: the id of the event, the status that it reported. */
  RUN_ENDED("event %s reported that its run %s"),
  /** Arguments: how long that was waited for. */
  RUN_END_MISSING("no end was reported within %s after its launch"),
  /** Arguments: the time-out. */
  TRIGGER_TIMED_OUT("its trigger was not satisfied within %s"),
  /** Arguments: the time-out, what its constraints said. */
  CONSTRAINTS_TIMED_OUT("its constraints did not hold within %s: %s"),
  /** Arguments: the time-out, why the request was not accepted the last time. */
  REQUEST_TIMED_OUT("its request was not accepted within %s: %s"),
  /** Arguments: the id of the job that stands for this one, too. */
  MERGED_INTO_WAITING("merged into job %s, which still waits"),
  /** Arguments: the id of the job that waits. */
  DROPPED_FOR_WAITING("job %s of the schedule still waits"),
  /** Arguments: how many fires, the first, the last, what {@code catchUp} says. */
  MISSED_FIRES("%s missed fires from %s to %s not made up for: catchUp %s"),
  /** Arguments: the caller. */
  SKIPPED_BY_HAND("skipped ahead of time by %s"),
  /** The schedule was changed while the job was collecting events. */
  TRIGGER_CANCELLED(
      "the schedule was changed, suspended or deleted before the trigger was satisfied"),
  /** Arguments: none, or {@link Reason#INTERRUPTED}. */
  SCHEDULE_DELETED("the schedule was deleted"),
  /** As for a deletion. */
  SCHEDULE_CHANGED("the schedule was changed"),
  /** As for a deletion. */
  SCHEDULE_SUSPENDED("the schedule was suspended"),
  /** As for a deletion. */
  BACKFILL_CANCELLED("its backfill was cancelled"),
  /** Of a job of a backfill that was not launched yet. */
  BACKFILL_OUTDATED("the schedule was changed, suspended or deleted");

  private final String format;

  ReasonCode(String format) {
    this.format = format;
  }

  String text(List<String> arguments) {
    String text = format.formatted(arguments.toArray());
    return switch (this) {
      case MISSED_FIRES ->
          arguments.get(0).equals("1") ? text.replaceFirst("missed fires", "missed fire") : text;
      case SCHEDULE_DELETED, SCHEDULE_CHANGED, SCHEDULE_SUSPENDED, BACKFILL_CANCELLED ->
          arguments.contains(Reason.INTERRUPTED)
              ? text + " after its launch was interrupted; the request may have been sent"
              : text;
      default -> text;
    };
  }
}
