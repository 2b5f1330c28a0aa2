package dev.carillon.api;

import dev.carillon.api.Changes.Outcome;
import dev.carillon.api.Changes.Present;
import dev.carillon.collect.Collector;
import dev.carillon.fires.Expander;
import dev.carillon.runtime.OptimisticUpdate;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.timer.LookAhead;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a stored change of a schedule: the first fires are handed over, and the pending jobs
 * of the former definition are cancelled. Each effect is a shortcut: if it fails here, a later pass
 * does the same.
 */
final class ChangeEffects {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeEffects.class);

  private final Lookup lookup;
  private final Expander expander;
  private final Collector collector;
  private final WaitingJobs waitingJobs;
  private final InstantSource clock;

  ChangeEffects(ApiPorts ports, Lookup lookup, OptimisticUpdate updates, InstantSource clock) {
    this.lookup = lookup;
    this.expander = new Expander(ports.timers(), ports.checks(), clock);
    this.collector = new Collector(ports.jobs(), ports.checks(), updates, clock);
    this.waitingJobs = new WaitingJobs(ports.jobs(), ports.checks(), clock);
    this.clock = clock;
  }

  /**
   * Runs before a change is stored. Sends a check that is due when no function can use the former
   * definition any more. The check drops what the former definition has collected, even if this
   * function crashes.
   *
   * @param before the schedule that the change replaces; null if there is none
   * @throws RuntimeException if the check could not be sent
   */
  void announce(@Nullable ParsedSchedule before, ParsedChange wanted) {
    Head after = wanted.change().after();
    Schedule dropped = dropped(before, after);
    if (dropped != null && !dropped.trigger().isPlainTime()) {
      collector.announceDiscard(after);
    } else if (beginsToCollect(before, dropped, wanted)) {
      collector.replaceUnreadable(after.id());
    }
  }

  /**
   * Whether the schedule begins to collect with this change. Then the collecting job of a deleted
   * schedule or of a former definition may still be stored.
   */
  private static boolean beginsToCollect(
      @Nullable ParsedSchedule before, @Nullable Schedule dropped, ParsedChange wanted) {
    ParsedSchedule next = wanted.after();
    boolean isNew = before == null ? wanted.change().before() != null : dropped != null;
    return isNew && next != null && next.schedule().usesCollectingJob();
  }

  /** Like {@link #announce}, for a schedule that cannot be read: it may have collected events. */
  void announceUnreadable(Change change) {
    collector.announceDiscard(change.after());
  }

  /** Runs after a change is stored. */
  Outcome carryOut(Present before, ParsedChange parsed) {
    Change change = parsed.change();
    Head after = change.after();
    Head old = before.head();
    if (old != null && old.activation() == after.activation()) {
      return new Outcome(before, parsed, Cancelled.NONE);
    }
    // The fires come first, because they may be due and the search for old jobs can take long.
    expand(change.timers());
    Cancelled cancelled = cancelPending(before.schedule(), after);
    ParsedSchedule next = parsed.after();
    if (next != null) {
      transferCollected(next);
    }
    return new Outcome(before, parsed, cancelled);
  }

  /**
   * The definition whose jobs and counts a change drops; null if there is none that can be read.
   */
  private static @Nullable Schedule dropped(@Nullable ParsedSchedule before, Head after) {
    if (before == null || !dropsJobs(before.head(), after)) {
      return null;
    }
    try {
      return before.schedule();
    } catch (RuntimeException damaged) {
      LOG.warn(
          "the events collected for {} could not be dropped; a later check drops them",
          after.id(),
          damaged);
      return null;
    }
  }

  private static boolean dropsJobs(Head before, Head after) {
    return after.life().cancelsJobsOf(before.life());
  }

  /**
   * Cancels pending jobs of the former definition. The announced check, or the next event or fire,
   * cancels the rest. The search leaves out the jobs that wait although nothing of their schedule
   * holds them back: the jobs of a suspended schedule, and jobs with a refused request.
   */
  private Cancelled cancelPending(@Nullable ParsedSchedule before, Head after) {
    if (before == null || !dropsJobs(before.head(), after)) {
      return Cancelled.NONE;
    }
    Schedule dropped = dropped(before, after);
    if (dropped == null) {
      return new Cancelled(0, 0, true);
    }
    boolean isSearched =
        !dropped.constraints().isEmpty() || dropped.pool() != null || dropped.runs() != null;
    Cancelled cancelled = new Cancelled(0, 0, !isSearched && before.head().holdsJobs());
    try {
      if (dropped.usesCollectingJob()) {
        OptionalInt collecting = collector.drop(after);
        cancelled = cancelled.plus(new Cancelled(0, collecting.orElse(0), collecting.isEmpty()));
      }
      return isSearched ? cancelled.plus(waitingJobs.sendChecks(after)) : cancelled;
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "the events collected for {} could not be dropped; a later check drops them",
          after.id(),
          unavailable);
      return cancelled.plus(new Cancelled(0, 0, true));
    }
  }

  /** Runs after a schedule was stored in the place of one that could not be read. */
  void dropCollected(Head after) {
    try {
      OptionalInt unused = collector.drop(after);
    } catch (RuntimeException unavailable) {
      LOG.warn("the events collected for {} could not be dropped", after.id(), unavailable);
    }
  }

  /** Moves the collected events to the new activation. If this fails, the next event does it. */
  private void transferCollected(ParsedSchedule next) {
    Head after = next.head();
    boolean wasSuspended = after.life().hasPaused();
    if (!wasSuspended || !after.collects() || next.schedule().trigger().isPlainTime()) {
      return;
    }
    try {
      collector.handOn(lookup.withCalendars(next.compiled()), after);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "the events collected for {} could not be moved to the new activation; the next event"
              + " moves them",
          after.id(),
          unavailable);
    }
  }

  private void expand(List<Timer> timers) {
    Instant now = clock.instant();
    Instant end = LookAhead.selectionEnd(now);
    List<Timer> due = timers.stream().filter(timer -> !timer.dueAt().isAfter(end)).toList();
    try {
      expander.expand(due, now);
    } catch (RuntimeException unavailable) {
      LOG.warn("the first timers could not be expanded; the master expands them", unavailable);
    }
  }
}
