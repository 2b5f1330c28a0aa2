package dev.carillon.api;

import dev.carillon.api.Changes.Outcome;
import dev.carillon.api.Changes.Present;
import dev.carillon.collect.Collector;
import dev.carillon.fires.Expander;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
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
 * What follows a stored change of a schedule: its first fires are handed over, and what the former
 * definition had pending is cancelled. Each of these effects is a shortcut: what fails here follows
 * later by itself.
 */
final class ChangeEffects {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeEffects.class);

  private final Schedules schedules;
  private final Lookup lookup;
  private final Expander expander;
  private final Collector collector;
  private final WaitingJobs waitingJobs;
  private final InstantSource clock;

  ChangeEffects(
      Schedules schedules,
      Lookup lookup,
      Expander expander,
      Collector collector,
      WaitingJobs waitingJobs,
      InstantSource clock) {
    this.schedules = schedules;
    this.lookup = lookup;
    this.expander = expander;
    this.collector = collector;
    this.waitingJobs = waitingJobs;
    this.clock = clock;
  }

  /**
   * Before a change is stored: sends the check that drops what the former definition has collected
   * once the change has settled, so that this happens also if this function dies.
   *
   * @param before what the change replaces; null if there is none
   * @throws RuntimeException if no message could be sent
   */
  void announce(@Nullable ParsedSchedule before, Change change) {
    Schedule dropped = dropped(before, change.after());
    if (dropped != null && !dropped.trigger().isPlainTime()) {
      collector.announceDiscard(change.after());
    }
  }

  /** After a change is stored. */
  Outcome carryOut(Present before, ParsedChange parsed) {
    Change change = parsed.change();
    Head after = change.after();
    Head old = before.head();
    if (old != null && old.activation() == after.activation()) {
      return new Outcome(before, parsed, Cancelled.NONE);
    }
    // First of all, as the first fires may be due, and old jobs can take long to be found.
    expand(change.timers());
    Cancelled cancelled = cancelPending(before.schedule(), after);
    ParsedSchedule next = parsed.after();
    if (next == null) {
      return new Outcome(before, parsed, cancelled);
    }
    handOn(next);
    boolean isExhausted =
        after.state() == ScheduleState.ACTIVE
            && next.schedule().trigger().isPlainTime()
            && change.timers().isEmpty();
    return new Outcome(before, isExhausted ? completed(next, parsed) : parsed, cancelled);
  }

  /** The definition whose jobs and counts a change drops; null if there is none to be read. */
  private static @Nullable Schedule dropped(@Nullable ParsedSchedule before, Head after) {
    if (before == null || !dropsJobs(before.head(), after)) {
      return null;
    }
    try {
      return before.schedule();
    } catch (RuntimeException damaged) {
      LOG.warn("the counts of {} are dropped later", after.id(), damaged);
      return null;
    }
  }

  private static boolean dropsJobs(Head before, Head after) {
    return after.life().cancelsJobsOf(before.life());
  }

  /**
   * What is not cancelled here is when that is announced for, or when events or fires come next.
   * Jobs that wait without constraints, as they are held back or their request is refused, are not
   * looked for.
   */
  private Cancelled cancelPending(@Nullable ParsedSchedule before, Head after) {
    if (before == null || !dropsJobs(before.head(), after)) {
      return Cancelled.NONE;
    }
    Schedule dropped = dropped(before, after);
    if (dropped == null) {
      return new Cancelled(0, 0, true);
    }
    boolean isSearched = !dropped.constraints().isEmpty();
    Cancelled cancelled = new Cancelled(0, 0, !isSearched && before.head().holdsJobs());
    try {
      if (!dropped.trigger().isPlainTime()) {
        OptionalInt collecting = collector.discard(after);
        cancelled = cancelled.plus(new Cancelled(0, collecting.orElse(0), collecting.isEmpty()));
      }
      return isSearched ? cancelled.plus(waitingJobs.lookAt(after)) : cancelled;
    } catch (RuntimeException unavailable) {
      LOG.warn("the counts of {} are dropped later", after.id(), unavailable);
      return cancelled.plus(new Cancelled(0, 0, true));
    }
  }

  /** Makes what is collected belong to the new activation; if it fails, the next event does. */
  private void handOn(ParsedSchedule next) {
    Head after = next.head();
    boolean keeps = after.life().hasPaused();
    if (!keeps || !after.collects() || next.schedule().trigger().isPlainTime()) {
      return;
    }
    try {
      collector.handOn(lookup.withCalendars(next.compiled()), after);
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

  /** No fire is left that would complete it. */
  private ParsedChange completed(ParsedSchedule active, ParsedChange change) {
    Change complete = Lifecycle.complete(active.stored());
    return schedules.save(complete) ? new ParsedChange(complete, active.schedule()) : change;
  }
}
