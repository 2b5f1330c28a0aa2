package dev.carillon.schedule;

import dev.carillon.constraint.GateConstraint;
import dev.carillon.gate.Asks;
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
 * The changes of a schedule's life, as what has to be stored. Each but a change of description,
 * tags or the reason of a suspension begins a new activation, so that timers of the old one die on
 * sight, or when those of the new one take over.
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
    return labelled(head, head.activation(), head.suspension(), definition);
  }

  /**
   * Another account of who suspended it, why and until when; since when it is suspended, and all
   * else, stays.
   */
  public static Change suspendAgain(
      StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Suspension old = stored.head().suspension();
    Suspension next =
        new Suspension(
            suspension.mode(),
            suspension.reason(),
            suspension.until(),
            suspension.by(),
            old == null ? suspension.at() : old.at());
    boolean endsAsBefore = old != null && Objects.equals(old.until(), next.until());
    Head head = stored.head();
    long activation = endsAsBefore ? head.activation() : head.nextActivation();
    Change change = labelled(head, activation, next, stored.definition());
    if (endsAsBefore) {
      return change;
    }
    List<Timer> timers = new ArrayList<>(change.timers());
    timers.addAll(timersIn(change.after(), schedule, stored.definition(), suspension.at()));
    return new Change(
        head, change.after(), stored.definition(), Set.of(), Set.of(), List.copyOf(timers));
  }

  /**
   * Of a backlog: fires that have to be told whether another job waits are taken up as they come.
   */
  private static List<Timer> timersIn(
      Head head, Schedule schedule, Definition definition, Instant after) {
    return head.opensJobs() && schedule.admitsFires()
        ? Activation.timersInBacklog(after, head, schedule, definition.generationSince())
        : List.of();
  }

  private static Change labelled(
      Head head, long activation, @Nullable Suspension suspension, Definition definition) {
    Head after =
        new Head(
            head.id(),
            head.generation(),
            head.state(),
            activation,
            head.cancelBelow(),
            head.activeSince(),
            head.version() + 1,
            suspension,
            head.pauses(),
            head.program(),
            head.app());
    return new Change(head, after, definition, Set.of(), Set.of(), turnsAtEnd(after));
  }

  /**
   * Another state, or another mode: what a mode keeps passes on to the next, unless that discards
   * it.
   */
  public static Change suspend(StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Head old = stored.head();
    Head ended = old.suspension() == null ? old : old.past(suspension.at());
    boolean discards = !suspension.mode().keepsJobs();
    Head head = moved(ended, ended.activeSince(), ScheduleState.SUSPENDED, suspension, discards);
    List<Timer> timers = new ArrayList<>(turnsAtEnd(head));
    timers.addAll(timersIn(head, schedule, stored.definition(), suspension.at()));
    if (!discards && makesJobs(old)) {
      backlog(old, head, schedule, stored.definition(), suspension.at()).stream()
          .filter(timer -> !timer.dueAt().isAfter(suspension.at()))
          .forEach(timers::add);
    }
    if (seesToJobs(old, head, schedule)) {
      timers.add(turn(head, suspension.at()));
    }
    return new Change(old, head, stored.definition(), Set.of(), Set.of(), timers);
  }

  /**
   * Goes on from an instant; the generation stays. A schedule that has no fire any more is over.
   *
   * @param at now, or when the suspension ended by itself
   */
  public static Change resume(StoredSchedule stored, Schedule schedule, Instant at) {
    Head old = stored.head();
    Head active = with(old.resumed(at), ScheduleState.ACTIVE, old.version() + 1);
    List<Timer> timers = new ArrayList<>();
    if (makesJobs(old)) {
      timers.addAll(backlog(old, active, schedule, stored.definition(), at));
    } else {
      timers.addAll(
          Activation.timersAfter(at, active, schedule, stored.definition().generationSince()));
    }
    boolean isOver = timers.isEmpty() && schedule.trigger().isPlainTime();
    Head head = isOver ? with(active, ScheduleState.COMPLETED, active.version()) : active;
    if (seesToJobs(old, head, schedule)) {
      timers.add(turn(head, at));
    }
    return new Change(old, head, stored.definition(), Set.of(), Set.of(), timers);
  }

  private static Head with(Head head, ScheduleState state, long version) {
    return new Head(
        head.id(),
        head.generation(),
        state,
        head.activation(),
        head.cancelBelow(),
        head.activeSince(),
        version,
        head.suspension(),
        head.pauses(),
        head.program(),
        head.app());
  }

  private static boolean makesJobs(Head head) {
    return head.suspension() != null && head.suspension().mode().makesJobs();
  }

  /** What has come due in a backlog since it began, which may be before a replacement. */
  private static List<Timer> backlog(
      Head old, Head head, Schedule schedule, Definition definition, Instant end) {
    Suspension suspension = Objects.requireNonNull(old.suspension());
    Instant began =
        suspension.at().isAfter(old.activeSince()) ? suspension.at() : old.activeSince();
    return Activation.timersOfBacklog(began, end, head, schedule, definition.generationSince());
  }

  /**
   * Whether jobs that were held back have to be looked at, or what is collected to be handed on.
   */
  private static boolean seesToJobs(Head old, Head next, Schedule schedule) {
    boolean collects = (old.collects() || next.collects()) && !schedule.trigger().isPlainTime();
    return (old.holdsJobs() && !next.holdsJobs())
        || (collects && (keepsJobs(old) || keepsJobs(next)));
  }

  private static boolean keepsJobs(Head head) {
    return head.suspension() != null && head.suspension().mode().keepsJobs();
  }

  private static Timer turn(Head head, Instant at) {
    return Timer.ofSuspensionEnd(head.id(), at, head.activation(), head.generation());
  }

  private static List<Timer> turnsAtEnd(Head head) {
    Instant until = head.suspension() == null ? null : head.suspension().until();
    return until == null ? List.of() : List.of(turn(head, until));
  }

  /** No fire will come any more; jobs under way go on. */
  public static Change complete(StoredSchedule stored) {
    Head old = stored.head();
    Head head = moved(old, old.activeSince(), ScheduleState.COMPLETED, null, false);
    return new Change(old, head, stored.definition(), Set.of(), Set.of(), List.of());
  }

  /** Leaves a tombstone. */
  public static Change delete(StoredSchedule stored, Set<String> staleKeys, Instant now) {
    Head old = stored.head();
    Head head = moved(old, now, ScheduleState.DELETED, null, true);
    Asks none =
        asksOfGates(stored.definition()) ? new Asks(stored.head().program(), List.of()) : null;
    List<Timer> timers = old.holdsJobs() ? List.of(turn(head, now)) : List.of();
    return new Change(old, head, null, staleKeys, Set.of(), timers, none);
  }

  private static ScheduleState stateAfterReplacement(Head old, Schedule schedule) {
    if (schedule.state() != null) {
      return schedule.state();
    }
    return old.state() == ScheduleState.COMPLETED ? ScheduleState.ACTIVE : old.state();
  }

  private static @Nullable Suspension createdSuspended(
      ScheduleState state, String by, Instant now) {
    return state == ScheduleState.SUSPENDED ? Suspension.ofNew(by, now) : null;
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
    long activation = old == null ? now.getEpochSecond() : old.nextActivation();
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
    List<Timer> timers = new ArrayList<>(turnsAtEnd(head));
    timers.addAll(
        head.state() == ScheduleState.ACTIVE
            ? Activation.timers(head, next, definition.generationSince())
            : timersIn(head, next, definition, head.activeSince()));
    boolean leavesHeldJobs = before != null && before.holdsJobs();
    if (leavesHeldJobs || (keepsJobs(head) && !next.trigger().isPlainTime())) {
      timers.add(turn(head, definition.updatedAt()));
    }
    return new Change(
        before, head, definition, stale, next.trigger().indexKeys(), List.copyOf(timers), asks);
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
      Instant activeSince,
      ScheduleState state,
      @Nullable Suspension suspension,
      boolean cancels) {
    long activation = head.nextActivation();
    return new Head(
        head.id(),
        head.generation(),
        state,
        activation,
        cancels ? activation : head.cancelBelow(),
        activeSince,
        head.version() + 1,
        suspension,
        head.pauses(),
        head.program(),
        head.app());
  }
}
