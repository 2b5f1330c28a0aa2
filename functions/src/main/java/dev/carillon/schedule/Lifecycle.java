package dev.carillon.schedule;

import dev.carillon.constraint.GateConstraint;
import dev.carillon.gate.Asks;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Schedules.Change;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a schedule's life, as what has to be stored. Each but a change of description,
 * tags or the reason of a suspension begins a new activation, so that timers of the old one die on
 * sight.
 */
public final class Lifecycle {

  private Lifecycle() {}

  /**
   * A new schedule.
   *
   * @param tombstone the head of a deleted schedule of that name, whose generations go on; null if
   *     there was none
   */
  public static Change create(@Nullable Head tombstone, Schedule schedule, Instant now, String by) {
    long generation = tombstone == null ? 1 : tombstone.generation() + 1;
    ScheduleState state = schedule.state() == null ? ScheduleState.SUSPENDED : schedule.state();
    Head head =
        begin(tombstone, schedule, generation, state, createdSuspended(state, by, now), now);
    Definition definition =
        new Definition(schedule.id(), generation, schedule.document(), now, now, by, now);
    Asks asks = schedule.asks();
    return change(
        tombstone, head, definition, Set.of(), schedule, asks.limits().isEmpty() ? null : asks);
  }

  /** Another definition under the same name: what the old one had pending is cancelled. */
  public static Change replace(
      StoredSchedule stored, Set<String> staleKeys, Schedule schedule, Instant now, String by) {
    Head old = stored.head();
    ScheduleState state = stateAfterReplacement(old, schedule);
    Suspension suspension =
        state != ScheduleState.SUSPENDED
            ? null
            : old.suspension() != null ? old.suspension() : createdSuspended(state, by, now);
    Head head = begin(old, schedule, old.generation() + 1, state, suspension, now);
    Definition definition =
        new Definition(
            schedule.id(),
            head.generation(),
            schedule.document(),
            now,
            stored.definition().createdAt(),
            stored.definition().createdBy(),
            now);
    Asks asks = schedule.asks();
    boolean asksNothing = asks.limits().isEmpty() && !asksOfGates(stored.definition());
    return change(old, head, definition, staleKeys, schedule, asksNothing ? null : asks);
  }

  /** A change of description or tags: jobs, timers and counts go on. */
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
    return labelled(head, head.suspension(), definition);
  }

  /** Another account of who suspended it and why; all else stays. */
  public static Change suspendAgain(StoredSchedule stored, Suspension suspension) {
    return labelled(stored.head(), suspension, stored.definition());
  }

  private static Change labelled(
      Head head, @Nullable Suspension suspension, Definition definition) {
    Head after =
        new Head(
            head.id(),
            head.generation(),
            head.state(),
            head.activation(),
            head.cancelBelow(),
            head.activeSince(),
            head.version() + 1,
            suspension,
            head.program(),
            head.app());
    return new Change(head, after, definition, Set.of(), Set.of(), List.of());
  }

  /** Mode discard: pending jobs are cancelled, events ignored. */
  public static Change suspend(StoredSchedule stored, Suspension suspension) {
    Head head = moved(stored.head(), ScheduleState.SUSPENDED, suspension, null, true);
    return new Change(stored.head(), head, stored.definition(), Set.of(), Set.of(), List.of());
  }

  /** Begins again from {@code now}; the generation goes on. */
  public static Change resume(StoredSchedule stored, Schedule schedule, Instant now) {
    Head head = moved(stored.head(), ScheduleState.ACTIVE, null, now, false);
    return new Change(
        stored.head(),
        head,
        stored.definition(),
        Set.of(),
        Set.of(),
        Activation.timers(head, schedule, stored.definition().generationSince()));
  }

  /** No fire will come any more; jobs under way go on. */
  public static Change complete(StoredSchedule stored) {
    Head head = moved(stored.head(), ScheduleState.COMPLETED, null, null, false);
    return new Change(stored.head(), head, stored.definition(), Set.of(), Set.of(), List.of());
  }

  /** Leaves a tombstone. */
  public static Change delete(StoredSchedule stored, Set<String> staleKeys) {
    Head head = moved(stored.head(), ScheduleState.DELETED, null, null, true);
    Asks none =
        asksOfGates(stored.definition()) ? new Asks(stored.head().program(), List.of()) : null;
    return new Change(stored.head(), head, null, staleKeys, Set.of(), List.of(), none);
  }

  private static ScheduleState stateAfterReplacement(Head old, Schedule schedule) {
    if (schedule.state() != null) {
      return schedule.state();
    }
    return old.state() == ScheduleState.COMPLETED ? ScheduleState.ACTIVE : old.state();
  }

  private static @Nullable Suspension createdSuspended(
      ScheduleState state, String by, Instant now) {
    return state == ScheduleState.SUSPENDED
        ? new Suspension("discard", "not activated yet", by, now)
        : null;
  }

  /**
   * Without a head of that name activations begin with the clock, so that they stay above those of
   * a predecessor whose tombstone has expired while rows of it are left.
   */
  private static Head begin(
      @Nullable Head old,
      Schedule schedule,
      long generation,
      ScheduleState state,
      @Nullable Suspension suspension,
      Instant now) {
    long activation = old == null ? now.getEpochSecond() : old.activation() + 1;
    return new Head(
        schedule.id(),
        generation,
        state,
        activation,
        activation,
        now,
        old == null ? 1 : old.version() + 1,
        suspension,
        schedule.program(),
        schedule.app());
  }

  private static Change change(
      @Nullable Head before,
      Head head,
      Definition definition,
      Set<String> stale,
      Schedule next,
      @Nullable Asks asks) {
    return new Change(
        before,
        head,
        definition,
        stale,
        next.trigger().indexKeys(),
        head.state() == ScheduleState.ACTIVE
            ? Activation.timers(head, next, definition.generationSince())
            : List.of(),
        asks);
  }

  private static boolean asksOfGates(Definition definition) {
    return definition
        .document()
        .path("constraints")
        .valueStream()
        .anyMatch(constraint -> GateConstraint.TYPES.contains(constraint.path("type").asText()));
  }

  private static Head moved(
      Head head,
      ScheduleState state,
      @Nullable Suspension suspension,
      @Nullable Instant activeSince,
      boolean cancels) {
    long activation = head.activation() + 1;
    return new Head(
        head.id(),
        head.generation(),
        state,
        activation,
        cancels ? activation : head.cancelBelow(),
        activeSince == null ? head.activeSince() : activeSince,
        head.version() + 1,
        suspension,
        head.program(),
        head.app());
  }
}
