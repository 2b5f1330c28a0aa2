package dev.carillon.api;

import dev.carillon.collect.Collector;
import dev.carillon.fires.Expander;
import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Attempt;
import dev.carillon.runtime.ContentionException;
import dev.carillon.runtime.Hold;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.Schedules.TooManyAsksException;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import dev.carillon.trigger.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of stored schedules: read, decide, write on condition, and all of it again if another was
 * faster. What a change still needs before the caller may rely on it follows at once.
 */
final class Changes {

  private static final Duration LONGEST_INDEX_LAG = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final Schedules schedules;
  private final Lookup lookup;
  private final Expander expander;
  private final Collector collector;
  private final WaitingJobs waitingJobs;
  private final OptimisticUpdate updates;
  private final InstantSource clock;
  private final Hold pause;

  Changes(
      Schedules schedules,
      Lookup lookup,
      Expander expander,
      Collector collector,
      WaitingJobs waitingJobs,
      OptimisticUpdate updates,
      InstantSource clock,
      Hold pause) {
    this.schedules = schedules;
    this.lookup = lookup;
    this.expander = expander;
    this.collector = collector;
    this.waitingJobs = waitingJobs;
    this.updates = updates;
    this.clock = clock;
    this.pause = pause;
  }

  /**
   * What is stored under a name.
   *
   * @param head of the schedule or its tombstone; null if there never was one
   * @param schedule null if there is none
   */
  record Present(@Nullable Head head, @Nullable StoredSchedule schedule) {}

  /**
   * How a change ended.
   *
   * @param change null if there was nothing to change
   */
  record Outcome(Present before, @Nullable Change change, Cancelled cancelled) {

    boolean created() {
      return change != null && before.schedule() == null;
    }

    /** What is stored now; of a deletion nothing. */
    StoredSchedule after() {
      Definition definition = change == null ? null : change.definition();
      if (change != null && definition != null) {
        return new StoredSchedule(change.after(), definition);
      }
      if (change != null || before.schedule() == null) {
        throw new IllegalStateException("there is no schedule any more");
      }
      return before.schedule();
    }
  }

  /**
   * Carries out what is decided on the stored state.
   *
   * @param decide empty if there is nothing to change; throws {@link Problem} to refuse
   */
  Outcome apply(ScheduleId id, Conditions conditions, Function<Present, Optional<Change>> decide) {
    return updates.run(id, () -> attempt(current(id), conditions, decide));
  }

  private Attempt<Outcome> attempt(
      Present present, Conditions conditions, Function<Present, Optional<Change>> decide) {
    StoredSchedule schedule = present.schedule();
    conditions.check(schedule == null ? null : schedule.head());
    Change change = decide.apply(present).orElse(null);
    if (change == null) {
      awaitIndex(present);
      return Attempt.done(new Outcome(present, null, Cancelled.NONE));
    }
    Schedule dropped = dropped(present, change);
    if (dropped != null && !dropped.trigger().isPlainTime()) {
      collector.announceDiscard(change.after());
    }
    if (!save(change)) {
      return Attempt.lostRace();
    }
    Outcome outcome = settled(present, change, dropped);
    awaitIndexAfter(present, change);
    return Attempt.done(outcome);
  }

  /** What is stored, once a suspension that is over has been ended. */
  private Present current(ScheduleId id) {
    return updates.run(
        id,
        () -> {
          Present present = present(id);
          Change resumption = resumption(present);
          if (resumption == null) {
            return Attempt.done(present);
          }
          if (!schedules.save(resumption)) {
            return Attempt.lostRace();
          }
          settled(present, resumption, null);
          return Attempt.done(current(id));
        });
  }

  private boolean save(Change change) {
    try {
      return schedules.save(change);
    } catch (TooManyAsksException full) {
      ScheduleId id = change.after().id();
      throw Problem.conflict(
          ("%s cannot be stored: there are 400 KB for what the schedules of a namespace ask by"
                  + " concurrency, rate, sinceLastRun and resource, and those of %s have filled them;"
                  + " store it in another namespace, or ask for less")
              .formatted(id, id.namespace()));
    }
  }

  /** The end of a suspension that is over and still stored; null if there is none. */
  private @Nullable Change resumption(Present present) {
    StoredSchedule stored = present.schedule();
    Suspension suspension = stored == null ? null : stored.head().suspension();
    if (stored == null || suspension == null || !suspension.isOverdue(clock.instant())) {
      return null;
    }
    Schedule schedule = lookup.compiled(stored.definition()).schedule();
    Instant until = Objects.requireNonNull(suspension.until());
    return Lifecycle.resume(stored, schedule, until);
  }

  /**
   * @throws ContentionException if it changes faster than it can be read
   */
  Present present(ScheduleId id) {
    return updates.run(
        id,
        () -> {
          StoredSchedule stored = lookup.find(id).orElse(null);
          if (stored != null) {
            return Attempt.done(new Present(stored.head(), stored));
          }
          Head head = lookup.head(id);
          return Attempt.of(head == null || head.isDeleted(), new Present(head, null));
        });
  }

  /** The definition whose jobs and counts a change drops; null if there is none to be read. */
  private @Nullable Schedule dropped(Present before, Change change) {
    StoredSchedule old = before.schedule();
    if (old == null || !dropsJobs(old.head(), change.after())) {
      return null;
    }
    try {
      return lookup.parsed(old.definition()).schedule();
    } catch (RuntimeException damaged) {
      LOG.warn("the counts of {} are dropped later", old.head().id(), damaged);
      return null;
    }
  }

  private Outcome settled(Present before, Change change, @Nullable Schedule dropped) {
    Head after = change.after();
    Head old = before.head();
    if (old != null && old.activation() == after.activation()) {
      return new Outcome(before, change, Cancelled.NONE);
    }
    // First of all, as the first fires may be due, and old jobs can take long to be found.
    expand(change.timers());
    Cancelled cancelled = discardPending(before, dropped, after);
    Definition definition = change.definition();
    if (definition != null) {
      handOn(lookup.compiled(definition), after);
    }
    if (definition == null || after.state() != ScheduleState.ACTIVE) {
      return new Outcome(before, change, cancelled);
    }
    Trigger trigger = lookup.compiled(definition).schedule().trigger();
    boolean exhausted = trigger.isPlainTime() && change.timers().isEmpty();
    Change last = exhausted ? completed(after, definition, change) : change;
    return new Outcome(before, last, cancelled);
  }

  /**
   * What is not dropped here is when that is announced for, or when events or fires come next. Jobs
   * that wait without constraints, as they are held back or their request is refused, are not
   * looked for.
   */
  private Cancelled discardPending(Present before, @Nullable Schedule dropped, Head after) {
    StoredSchedule old = before.schedule();
    if (old == null || !dropsJobs(old.head(), after)) {
      return Cancelled.NONE;
    }
    if (dropped == null) {
      return new Cancelled(0, 0, true);
    }
    boolean isSearched = !dropped.constraints().isEmpty();
    Cancelled cancelled = new Cancelled(0, 0, !isSearched && old.head().holdsJobs());
    try {
      if (!dropped.trigger().isPlainTime()) {
        OptionalInt collecting = collector.discard(after);
        cancelled = cancelled.plus(new Cancelled(0, collecting.orElse(0), collecting.isEmpty()));
      }
      return dropped.constraints().isEmpty()
          ? cancelled
          : cancelled.plus(waitingJobs.lookAt(after));
    } catch (RuntimeException unavailable) {
      LOG.warn("the counts of {} are dropped later", after.id(), unavailable);
      return cancelled.plus(new Cancelled(0, 0, true));
    }
  }

  private static boolean dropsJobs(Head before, Head after) {
    return before.cancelBelow() != after.cancelBelow();
  }

  /** From here on nobody counts as before the change; if it fails, the next who counts does it. */
  private void handOn(Compiled compiled, Head after) {
    boolean keeps = after.suspension() != null || !after.pauses().isEmpty();
    if (!keeps || !after.collects() || compiled.schedule().trigger().isPlainTime()) {
      return;
    }
    try {
      collector.handOn(compiled, after);
    } catch (RuntimeException unavailable) {
      LOG.warn("what {} has collected is handed on later", after.id(), unavailable);
    }
  }

  private void expand(List<Timer> timers) {
    Instant now = clock.instant();
    Instant end = LookAhead.selectionEnd(now);
    List<Timer> due = timers.stream().filter(timer -> !timer.dueAt().isAfter(end)).toList();
    try {
      expander.expand(due, now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the master expands the first timers", unavailable);
    }
  }

  /** Only a new activation has entries of its own. */
  private void awaitIndexAfter(Present before, Change change) {
    Head after = change.after();
    Head old = before.head();
    Definition definition = change.definition();
    boolean isNew = old == null || old.activation() != after.activation();
    if (isNew && definition != null && after.collects()) {
      awaitIndex(after, lookup.compiled(definition).schedule().trigger().indexKeys());
    }
  }

  /** What is stored already may be so by a request that was cut short, and is repeated here. */
  private void awaitIndex(Present present) {
    StoredSchedule stored = present.schedule();
    if (stored != null && stored.head().collects()) {
      Trigger trigger = lookup.compiled(stored.definition()).schedule().trigger();
      awaitIndex(stored.head(), trigger.indexKeys());
    }
  }

  /**
   * From here on the events that are sent find the schedule, and so do its calendars.
   *
   * @throws Problem if they do not yet; the request can be repeated
   */
  private void awaitIndex(Head head, Set<String> keys) {
    Duration waited = Duration.ZERO;
    Duration next = FIRST_PAUSE;
    while (!keys.isEmpty() && !indexShows(head, keys)) {
      if (waited.compareTo(LONGEST_INDEX_LAG) >= 0) {
        throw Problem.unavailable(
            ("%s is stored, but events do not find it yet; send the same again,"
                    + " without If-Match or If-None-Match")
                .formatted(head.id()));
      }
      pause.forThe(next);
      waited = waited.plus(next);
      Duration doubled = next.multipliedBy(2);
      next = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
  }

  private boolean indexShows(Head head, Set<String> keys) {
    try {
      return schedules.indexShows(head.id(), head.generation(), keys);
    } catch (RuntimeException unavailable) {
      LOG.warn("the index of event keys cannot be read", unavailable);
      return false;
    }
  }

  /** No fire is left that would complete it. */
  private Change completed(Head active, Definition definition, Change change) {
    Change complete = Lifecycle.complete(new StoredSchedule(active, definition));
    return schedules.save(complete) ? complete : change;
  }
}
