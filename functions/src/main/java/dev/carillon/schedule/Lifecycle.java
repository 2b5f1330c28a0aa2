package dev.carillon.schedule;

import dev.carillon.constraint.GateConstraint;
import dev.carillon.gate.GateDemands;
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
 * The changes of a schedule's life, as what has to be stored. Each but a completion and a change of
 * description, tags or the reason of a suspension begins a new activation, so that timers of the
 * old one die on sight, or when those of the new one take over.
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
    boolean isActive = schedule.state() == ScheduleState.ACTIVE;
    Suspension suspension = isActive ? null : Suspension.ofNew(by, now);
    Head head = begun(tombstone, schedule, generation, suspension, now);
    Definition definition =
        new Definition(schedule.id(), generation, schedule.document(), now, now, by, now);
    GateDemands demands = schedule.demands();
    return beginning(
        tombstone,
        head,
        definition,
        Set.of(),
        schedule,
        demands.limits().isEmpty() ? null : demands);
  }

  /** Another definition under the same name: what the old one had pending is cancelled. */
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
    GateDemands demands = schedule.demands();
    boolean asksNothing = demands.limits().isEmpty() && !demandsGates(stored.definition());
    return beginning(old, head, definition, staleKeys, schedule, asksNothing ? null : demands);
  }

  /** What is suspended stays so, unless the document asks for something else. */
  private static @Nullable Suspension suspensionOfReplacement(
      Head old, Schedule schedule, Instant now, String by) {
    if (schedule.state() == ScheduleState.ACTIVE) {
      return null;
    }
    boolean begins = schedule.state() == ScheduleState.SUSPENDED && old.suspension() == null;
    return begins ? Suspension.ofNew(by, now) : old.suspension();
  }

  /**
   * Without a head of that name activations begin with the clock, so that they stay above those of
   * a predecessor whose tombstone has expired while rows of it are left.
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
        schedule.app());
  }

  private static Change beginning(
      @Nullable Head before,
      Head head,
      Definition definition,
      Set<String> stale,
      Schedule next,
      @Nullable GateDemands demands) {
    List<Timer> timers = ChangeTimers.ofBeginning(before, head, next, definition);
    return new Change(before, head, definition, stale, next.trigger().indexKeys(), timers, demands);
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
    Head after = head.next(head.life(), head.suspendedBy());
    return goingOn(head, after, definition, ChangeTimers.atEnd(after));
  }

  /**
   * Another account of who suspended it, why and until when; since when it is suspended, and all
   * else, stays.
   */
  public static Change suspendAgain(
      StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Head old = stored.head();
    SuspendedBy was = Objects.requireNonNull(old.suspendedBy());
    SuspendedBy by = new SuspendedBy(suspension.by(), suspension.reason(), was.at());
    Instant until = suspension.until();
    if (Objects.equals(old.life().until(), until)) {
      Head after = old.next(old.life(), by);
      return goingOn(old, after, stored.definition(), ChangeTimers.atEnd(after));
    }
    Head after = old.next(old.life().endingAt(until), by);
    List<Timer> timers =
        ChangeTimers.whileSuspended(after, schedule, stored.definition(), suspension.at());
    return goingOn(old, after, stored.definition(), timers);
  }

  /**
   * Another state, or another mode: what a mode keeps passes on to the next, unless that discards
   * it.
   */
  public static Change suspend(StoredSchedule stored, Schedule schedule, Suspension suspension) {
    Head old = stored.head();
    Instant at = suspension.at();
    Life life = old.life().suspended(suspension.mode(), suspension.until(), at);
    Head head = old.next(life, suspension.suspendedBy());
    List<Timer> timers = ChangeTimers.ofSuspension(old, head, schedule, stored.definition(), at);
    return goingOn(old, head, stored.definition(), timers);
  }

  /**
   * Goes on from an instant; the generation stays. A schedule that has no fire any more is over.
   *
   * @param at now, or when the suspension ended by itself
   */
  public static Change resume(StoredSchedule stored, Schedule schedule, Instant at) {
    Head old = stored.head();
    Head active = old.next(old.life().resumed(at), null);
    List<Timer> timers =
        new ArrayList<>(ChangeTimers.ofResumption(old, active, schedule, stored.definition(), at));
    boolean isOver = timers.isEmpty() && schedule.trigger().isPlainTime();
    Head head = isOver ? old.next(active.life().completed(), null) : active;
    timers.addAll(ChangeTimers.ofJobs(old, head, schedule, at));
    return goingOn(old, head, stored.definition(), timers);
  }

  /** No fire will come any more; jobs under way go on. */
  public static Change complete(StoredSchedule stored) {
    Head old = stored.head();
    Head head = old.next(old.life().completed(), null);
    return goingOn(old, head, stored.definition(), List.of());
  }

  /** Leaves a tombstone. */
  public static Change delete(StoredSchedule stored, Set<String> staleKeys, Instant now) {
    Head old = stored.head();
    Head head = old.next(old.life().deleted(now), null);
    GateDemands none =
        demandsGates(stored.definition()) ? new GateDemands(old.program(), List.of()) : null;
    List<Timer> timers = ChangeTimers.ofDeletion(old, head, now);
    return new Change(old, head, null, staleKeys, Set.of(), timers, none);
  }

  /** A change that leaves the generation as it is. */
  private static Change goingOn(
      Head before, Head after, Definition definition, List<Timer> timers) {
    return new Change(before, after, definition, Set.of(), Set.of(), List.copyOf(timers));
  }

  private static boolean demandsGates(Definition definition) {
    return definition
        .document()
        .path("constraints")
        .valueStream()
        .anyMatch(constraint -> GateConstraint.TYPES.contains(constraint.path("type").asText()));
  }
}
