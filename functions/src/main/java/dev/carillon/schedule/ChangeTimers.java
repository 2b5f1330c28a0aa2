package dev.carillon.schedule;

import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timers that are stored with a change of a schedule's life: those of its fires, and those that
 * bring a check of the schedule itself, to end a suspension or for the jobs that it leaves.
 */
final class ChangeTimers {

  private ChangeTimers() {}

  /** Those of a definition that is new. */
  static List<Timer> ofBeginning(
      @Nullable Head before, Head head, Schedule next, Definition definition) {
    List<Timer> timers = new ArrayList<>();
    if (head.state() == ScheduleState.ACTIVE) {
      timers.addAll(Activation.timers(head, next, definition.generationSince()));
    } else {
      timers.addAll(whileSuspended(head, next, definition, head.life().beganAt()));
    }
    boolean leavesHeldJobs = before != null && before.holdsJobs();
    if (leavesHeldJobs || (keepsJobs(head) && !next.trigger().isPlainTime())) {
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

  /** Those of the fires from the end of a suspension on, and of a backlog since it began. */
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
   * Those of the end by itself, and of a backlog whose fires depend on whether another job waits:
   * they are taken up as they come.
   *
   * @param after the instant behind which fires are taken up
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

  /** That of the end of a suspension by itself. */
  static List<Timer> atEnd(Head head) {
    Instant until = head.life().until();
    return until == null ? List.of() : List.of(ofSchedule(head, until));
  }

  /** One if jobs that were held back have to be checked, or what is collected to be handed on. */
  static List<Timer> ofJobs(Head old, Head next, Schedule schedule, Instant at) {
    boolean collects = (old.collects() || next.collects()) && !schedule.trigger().isPlainTime();
    boolean isNeeded =
        (old.holdsJobs() && !next.holdsJobs()) || (collects && (keepsJobs(old) || keepsJobs(next)));
    return isNeeded ? List.of(ofSchedule(next, at)) : List.of();
  }

  private static Timer ofSchedule(Head head, Instant at) {
    return Timer.ofSuspensionEnd(head.id(), at, head.activation(), head.generation());
  }

  /** What has come due in a backlog since it began, with a replacement or before. */
  private static List<Timer> ofBacklog(
      Head old, Head head, Schedule schedule, Definition definition, Instant end) {
    Instant began = old.life().current().from();
    return Activation.timersOfBacklog(began, end, head, schedule, definition.generationSince());
  }

  private static boolean keepsJobs(Head head) {
    Period current = head.life().current();
    return current.isSuspended() && current.keepsJobs();
  }
}
