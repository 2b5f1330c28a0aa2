package dev.carillon.schedule;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a schedule's life. Each method returns the items to store. A completion, an
 * annotation and a new reason of a suspension keep the activation. Every other change begins a new
 * activation, so that the timers of the old one end, either at once or when the new timers begin to
 * hand over.
 */
public final class Lifecycle {

  private Lifecycle() {}

  /**
   * Creates a schedule.
   *
   * @param tombstone the head of a deleted schedule of the same name, whose generations the new
   *     schedule continues; null if there is none
   */
  public static Change create(@Nullable Head tombstone, Schedule schedule, Instant now, String by) {
    long generation = tombstone == null ? 1 : tombstone.generation() + 1;
    boolean isActive = schedule.state() == ScheduleState.ACTIVE;
    Suspension suspension = isActive ? null : Suspension.ofNew(by, now);
    Head head = begun(tombstone, schedule, generation, suspension, now);
    Definition definition =
        new Definition(schedule.id(), generation, schedule.document(), now, now, by, now);
    return beginning(tombstone, head, definition, Set.of(), schedule);
  }

  /** Replaces the definition and cancels the pending jobs of the old one. */
  public static Change replace(
      StoredSchedule stored, Set<String> staleKeys, Schedule schedule, Instant now, String by) {
    Head old = stored.head();
    Suspension suspension = suspensionOfReplacement(old, schedule, now, by);
    Head head = begun(old, schedule, old.generation() + 1, suspension, now);
    Definition definition =
        new Definition(
            schedule.id(),
            head.generation(),
            schedule.document(),
            now,
            stored.definition().createdAt(),
            stored.definition().createdBy(),
            now);
    return beginning(old, head, definition, staleKeys, schedule).keeping(stored.definition());
  }

  /**
   * A stand-in for a head that cannot be read. Its generation, activation and version are taken
   * from the clock. The numbers of the lost head grew by one with each change, so the new numbers
   * exceed them. The stand-in holds jobs. The lost head may have held jobs, and the change that
   * replaces it must check them.
   */
  public static Head standIn(ScheduleId id, Instant now) {
    long generation = now.getEpochSecond() / 60;
    Life life = Life.begun(generation, now.getEpochSecond(), SuspendMode.HOLD, null, now);
    return new Head(id, now.toEpochMilli(), life, null, id.name(), null);
  }

  /**
   * Replaces a definition that cannot be read. Everything that was stored for the schedule is
   * replaced as well.
   *
   * @param old the head, or its {@link #standIn}
   */
  public static Change replaceUnreadable(Head old, Schedule schedule, Instant now, String by) {
    Change next = create(old, schedule, now, by);
    return new Change(old, next.after(), next.definition(), null, next.keys(), next.timers());
  }

  /**
   * Deletes a schedule whose definition cannot be read, and leaves a tombstone.
   *
   * @param old the head, or its {@link #standIn}
   */
  public static Change deleteUnreadable(Head old, Instant now) {
    Head head = old.next(old.life().deleted(now), null);
    List<Timer> timers = ChangeTimers.ofDeletion(old, head, now);
    return new Change(old, head, null, null, Set.of(), timers);
  }

  /**
   * The suspension after a replacement: the present one stays, unless the document asks for another
   * state.
   */
  private static @Nullable Suspension suspensionOfReplacement(
      Head old, Schedule schedule, Instant now, String by) {
    if (schedule.state() == ScheduleState.ACTIVE) {
      return null;
    }
    boolean begins = schedule.state() == ScheduleState.SUSPENDED && old.suspension() == null;
    return begins ? Suspension.ofNew(by, now) : old.suspension();
  }

  /**
   * If no head of this name exists, activations start at the current epoch second. So they exceed
   * the activations of a predecessor whose tombstone has expired while some of its items still
   * exist.
   */
  private static Head begun(
      @Nullable Head old,
      Schedule schedule,
      long generation,
      @Nullable Suspension suspension,
      Instant now) {
    long activation = old == null ? now.getEpochSecond() : old.life().nextActivation();
    Life life =
        suspension == null
            ? Life.begun(generation, activation, null, null, now)
            : Life.begun(generation, activation, suspension.mode(), suspension.until(), now);
    return new Head(
        schedule.id(),
        old == null ? 1 : old.version() + 1,
        life,
        suspension == null ? null : suspension.suspendedBy(),
        schedule.program(),
        schedule.app(),
        schedule.demands().text());
  }

  /** A schedule that begins after its last fire begins completed. */
  private static Change beginning(
      @Nullable Head before, Head begun, Definition definition, Set<String> stale, Schedule next) {
    boolean hasNoFires =
        begun.state() == ScheduleState.ACTIVE
            && next.trigger().isPlainTime()
            && Activation.timers(begun, next, definition.generationSince()).isEmpty();
    Head head = hasNoFires ? begun.completed() : begun;
    List<Timer> timers = ChangeTimers.ofBeginning(before, head, next, definition);
    return new Change(before, head, definition, stale, next.indexKeys(), timers);
  }

  /** Changes description or tags; jobs, timers and counts continue. */
  public static Change annotate(StoredSchedule stored, Schedule schedule, Instant now) {
    Definition old = stored.definition();
    Definition definition =
        new Definition(
            old.id(),
            old.generation(),
            schedule.document(),
            old.generationSince(),
            old.createdAt(),
            old.createdBy(),
            now);
    Head head = stored.head();
    Head after = head.next(head.life(), head.suspendedBy());
    return sameGeneration(head, after, definition, ChangeTimers.atEnd(after));
  }

  /**
   * Changes the caller, reason or end of a suspension. Everything else stays, including the instant
   * since which the schedule is suspended.
   */
  public static Change suspendAgain(
      StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Head old = stored.head();
    SuspendedBy was = Objects.requireNonNull(old.suspendedBy());
    SuspendedBy by = new SuspendedBy(suspension.by(), suspension.reason(), was.at());
    Instant until = suspension.until();
    if (Objects.equals(old.life().until(), until)) {
      Head after = old.next(old.life(), by);
      return sameGeneration(old, after, stored.definition(), ChangeTimers.atEnd(after));
    }
    Head after = old.next(old.life().endingAt(until), by);
    List<Timer> timers =
        ChangeTimers.whileSuspended(after, schedule, stored.definition(), suspension.at());
    return sameGeneration(old, after, stored.definition(), timers);
  }

  /**
   * Suspends the schedule, or changes the mode of its suspension. The new mode takes over the jobs
   * that the old one kept, unless the new mode discards them.
   */
  public static Change suspend(StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Head old = stored.head();
    Instant at = suspension.at();
    Life life = old.life().suspended(suspension.mode(), suspension.until(), at);
    Head head = old.next(life, suspension.suspendedBy());
    List<Timer> timers = ChangeTimers.ofSuspension(old, head, schedule, stored.definition(), at);
    return sameGeneration(old, head, stored.definition(), timers);
  }

  /**
   * Resumes the schedule at an instant; the generation stays. A schedule that never fires again is
   * completed.
   *
   * @param at now, or when the suspension ended automatically
   */
  public static Change resume(StoredSchedule stored, Schedule schedule, Instant at) {
    Head old = stored.head();
    Head active = old.next(old.life().resumed(at), null);
    List<Timer> timers =
        new ArrayList<>(ChangeTimers.ofResumption(old, active, schedule, stored.definition(), at));
    boolean hasNoFires = timers.isEmpty() && schedule.trigger().isPlainTime();
    Head head = hasNoFires ? active.completed() : active;
    timers.addAll(ChangeTimers.ofJobs(old, head, schedule, at));
    return sameGeneration(old, head, stored.definition(), timers);
  }

  /** Completes the schedule: it never fires again, and existing jobs proceed. */
  public static Change complete(StoredSchedule stored) {
    Head old = stored.head();
    Head head = old.next(old.life().completed(), null);
    return sameGeneration(old, head, stored.definition(), List.of());
  }

  /** Deletes the schedule and leaves a tombstone. */
  public static Change delete(StoredSchedule stored, Set<String> staleKeys, Instant now) {
    Head old = stored.head();
    Head head = old.next(old.life().deleted(now), null);
    List<Timer> timers = ChangeTimers.ofDeletion(old, head, now);
    return new Change(old, head, null, staleKeys, Set.of(), timers).keeping(stored.definition());
  }

  /** A change that keeps the generation. */
  private static Change sameGeneration(
      Head before, Head after, Definition definition, List<Timer> timers) {
    return new Change(before, after, definition, Set.of(), Set.of(), List.copyOf(timers));
  }
}
