package dev.carillon.schedule;

import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timers that are stored with a change of a schedule's life. They expand the schedule's fires,
 * or make the checker end a suspension or process the jobs that a suspension leaves.
 */
final class ChangeTimers {

  private ChangeTimers() {}

  /** The timers of a new definition. */
  static List<Timer> ofBeginning(
      @Nullable Head before, Head head, Schedule next, Definition definition) {
    List<Timer> timers = new ArrayList<>();
    if (head.state() == ScheduleState.ACTIVE) {
      timers.addAll(Activation.timers(head, next, definition.generationSince()));
    } else {
      timers.addAll(whileSuspended(head, next, definition, head.life().beganAt()));
    }
    boolean leavesHeldJobs = before != null && before.holdsJobs();
    boolean collects = keepsJobs(head) && !next.trigger().isPlainTime();
    if (leavesHeldJobs || collects || deletesItself(head, next)) {
      timers.add(ofSchedule(head, definition.updatedAt()));
    }
    return List.copyOf(timers);
  }

  static List<Timer> ofSuspension(
      Head old, Head head, Schedule schedule, Definition definition, Instant at) {
    List<Timer> timers = new ArrayList<>(whileSuspended(head, schedule, definition, at));
    if (keepsJobs(head) && old.life().current().isBacklog()) {
      ofBacklog(old, head, schedule, definition, at).stream()
          .filter(timer -> !timer.dueAt().isAfter(at))
          .forEach(timers::add);
    }
    timers.addAll(ofJobs(old, head, schedule, at));
    return timers;
  }

  /**
   * The timers of a resumed schedule. They begin with the first fire after the suspension. After a
   * backlog, they begin with the first fire of the backlog.
   */
  static List<Timer> ofResumption(
      Head old, Head active, Schedule schedule, Definition definition, Instant at) {
    return old.life().current().isBacklog()
        ? ofBacklog(old, active, schedule, definition, at)
        : Activation.timersAfter(at, active, schedule, definition.generationSince());
  }

  static List<Timer> ofDeletion(Head old, Head head, Instant now) {
    return old.holdsJobs() ? List.of(ofSchedule(head, now)) : List.of();
  }

  /**
   * The timer that ends the suspension. A backlog of a schedule that merges or skips fires
   * processes each fire when it is due. So it also has the timers of the fires.
   *
   * @param after the instant after which fires count
   */
  static List<Timer> whileSuspended(
      Head head, Schedule schedule, Definition definition, Instant after) {
    List<Timer> timers = new ArrayList<>(atEnd(head));
    if (head.opensJobs() && schedule.mergesOrSkipsFires()) {
      timers.addAll(
          Activation.timersInBacklog(after, head, schedule, definition.generationSince()));
    }
    return timers;
  }

  /** The timer of a suspension's planned end. */
  static List<Timer> atEnd(Head head) {
    Instant until = head.life().until();
    return until == null ? List.of() : List.of(ofSchedule(head, until));
  }

  /**
   * A timer of the schedule, if held jobs must be checked, the collecting job must move to the new
   * activation, or the schedule must delete itself.
   */
  static List<Timer> ofJobs(Head old, Head next, Schedule schedule, Instant at) {
    boolean collects = (old.collects() || next.collects()) && !schedule.trigger().isPlainTime();
    boolean isNeeded =
        (old.holdsJobs() && !next.holdsJobs())
            || (collects && (keepsJobs(old) || keepsJobs(next)))
            || deletesItself(next, schedule);
    return isNeeded ? List.of(ofSchedule(next, at)) : List.of();
  }

  private static Timer ofSchedule(Head head, Instant at) {
    return Timer.ofSuspensionEnd(head.id(), at, head.activation(), head.generation());
  }

  /** The timers of the fires of a backlog since it began. */
  private static List<Timer> ofBacklog(
      Head old, Head head, Schedule schedule, Definition definition, Instant end) {
    Instant began = old.life().current().from();
    return Activation.timersOfBacklog(began, end, head, schedule, definition.generationSince());
  }

  /**
   * Whether the change leaves the schedule completed and to be deleted. No fire follows whose check
   * would delete it.
   */
  private static boolean deletesItself(Head next, Schedule schedule) {
    return next.state() == ScheduleState.COMPLETED && schedule.deleteAfterCompletion();
  }

  private static boolean keepsJobs(Head head) {
    Period current = head.life().current();
    return current.isSuspended() && current.keepsJobs();
  }
}
