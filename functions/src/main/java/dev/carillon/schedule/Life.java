package dev.carillon.schedule;

import dev.carillon.time.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The life of a schedule: the periods in which it was active or suspended, and how much of what was
 * made in them still counts. Every question about that is answered here, from these values alone.
 *
 * @param generation the definition's epoch: grows on every change but one of description, tags or
 *     state, and never repeats, not even after a deletion
 * @param state SUSPENDED exactly if the current period has a mode
 * @param activation grows whenever the schedule is created, replaced, suspended, resumed or
 *     deleted, and when its suspension gets another end; timers, jobs and collecting jobs carry the
 *     one that they were made under
 * @param minLiveActivation what was made under a smaller activation is cancelled
 * @param periods when it was active or suspended, since the last change that cancelled all
 * @param until when the suspension ends by itself; null for never
 */
public record Life(
    long generation,
    ScheduleState state,
    long activation,
    long minLiveActivation,
    Periods periods,
    @Nullable Instant until) {

  private static final Duration CHANGE_SETTLES = Duration.ofSeconds(45);

  public Life {
    if (periods.current().isSuspended() != (state == ScheduleState.SUSPENDED)) {
      throw new IllegalArgumentException("no schedule is " + state + " in " + periods.current());
    }
  }

  // ---- changes

  /**
   * A life that keeps nothing of what was before it.
   *
   * @param mode how it is suspended from the beginning; null if it is active
   */
  public static Life begun(
      long generation,
      long activation,
      @Nullable SuspendMode mode,
      @Nullable Instant until,
      Instant at) {
    ScheduleState state = mode == null ? ScheduleState.ACTIVE : ScheduleState.SUSPENDED;
    Periods first = Periods.of(new Period(mode, at));
    return new Life(generation, state, activation, activation, first, until);
  }

  /** Suspended in another mode than now. DISCARD cancels all there is. */
  Life suspended(SuspendMode mode, @Nullable Instant end, Instant at) {
    long next = nextActivation();
    Period period = following(mode, at);
    return mode.keepsJobs()
        ? new Life(
            generation,
            ScheduleState.SUSPENDED,
            next,
            minLiveActivation,
            periods.followedBy(period),
            end)
        : new Life(generation, ScheduleState.SUSPENDED, next, next, Periods.of(period), end);
  }

  /** In the same mode as now, with another end. */
  Life endingAt(@Nullable Instant end) {
    return new Life(generation, state, nextActivation(), minLiveActivation, periods, end);
  }

  /** Active again; a resumption at {@link #until} is the end that came by itself. */
  Life resumed(Instant at) {
    return new Life(
        generation,
        ScheduleState.ACTIVE,
        at.equals(until) ? activation + 1 : nextActivation(),
        minLiveActivation,
        periods.followedBy(following(null, at)),
        null);
  }

  /** Without fires to come; what is under way goes on. */
  Life completed() {
    return new Life(
        generation, ScheduleState.COMPLETED, activation, minLiveActivation, periods, null);
  }

  Life deleted(Instant at) {
    long next = nextActivation();
    Periods last = Periods.of(following(null, at));
    return new Life(generation, ScheduleState.DELETED, next, next, last, null);
  }

  /** No period begins before the one before it, although the clocks of callers differ. */
  private Period following(@Nullable SuspendMode mode, Instant at) {
    return new Period(mode, later(at, current().from()));
  }

  /**
   * The activation with which a caller's change begins. The one before it is left to the end of a
   * suspension by itself, which a function may act on before it is stored.
   */
  long nextActivation() {
    return until == null ? activation + 1 : activation + 2;
  }

  /** As it is by {@code now}: a suspension is over from its end on, stored or not. */
  public Life asOf(Instant now) {
    return until == null || until.isAfter(now) ? this : resumed(until);
  }

  /** Whether the suspension had to end by {@code now}, and its end is not stored yet. */
  public boolean isOverdue(Instant now) {
    return until != null && !until.isAfter(now);
  }

  Period current() {
    return periods.current();
  }

  // ---- questions about now

  public boolean isDeleted() {
    return state == ScheduleState.DELETED;
  }

  /** Whether jobs have to wait until the schedule is resumed. */
  public boolean holdsJobs() {
    return current().holdsJobs();
  }

  /** Whether events and fires that are collected into jobs concern it now. */
  public boolean collects() {
    return isGoingOn() && current().keepsJobs();
  }

  /** Whether what comes now may open a job. */
  public boolean opensJobs() {
    return isGoingOn() && current().makesJobs();
  }

  private boolean isGoingOn() {
    return state == ScheduleState.ACTIVE || state == ScheduleState.SUSPENDED;
  }

  /** Whether it is suspended, or was so and has kept what was collected before. */
  public boolean hasPaused() {
    return periods.haveSuspension();
  }

  /**
   * From when on nothing is done any more as it was before the last change: a call of the API may
   * take so long, then a function that had read the head, and clocks may differ.
   */
  public Instant settledAt() {
    return current().from().plus(CHANGE_SETTLES);
  }

  // ---- questions about what was made under an activation

  /** Whether what was made under an activation goes on. */
  public boolean isLive(long ofActivation) {
    return ofActivation >= minLiveActivation;
  }

  /** Whether a job that was opened under these is still wanted. */
  public boolean wantsJob(long ofGeneration, long ofActivation) {
    return !isDeleted() && generation == ofGeneration && isLive(ofActivation);
  }

  /** Jobs that were held back under a smaller activation have nothing to wait for any more. */
  public long minHeldActivation() {
    return holdsJobs() ? minLiveActivation : activation;
  }

  /** Whether a change from {@code before} to this life cancels what was there. */
  public boolean cancelsJobsOf(Life before) {
    return minLiveActivation != before.minLiveActivation;
  }

  /**
   * Up to when the fires of a timer are to be handed over: of one of an earlier activation as long
   * as no later timer does so. Empty if it is dead.
   */
  public Optional<Instant> timersEnd(long ofActivation) {
    Period current = current();
    if (isDeleted() || !isLive(ofActivation) || !current.keepsJobs()) {
      return Optional.empty();
    }
    boolean isOfNow = ofActivation == activation && current.makesJobs();
    if (isOfNow || state == ScheduleState.COMPLETED) {
      return Optional.of(Instant.MAX);
    }
    return current.isSuspended()
        ? Optional.of(current.from())
        : periods.lastPause().map(pause -> pause.period().makesJobs() ? pause.from() : pause.to());
  }

  // ---- questions about an instant

  /** The schedule makes no job for any instant up to and including this one. */
  public Instant beganAt() {
    return periods.beganAt();
  }

  /**
   * Whether a fire of this generation at {@code scheduledFor} is wanted now. A COMPLETED schedule
   * has no later fires, but its last ones may be checked out of order. Of a suspended schedule only
   * what was due before can be; what a backlog keeps is wanted when it is resumed.
   */
  public boolean wantsFire(long ofGeneration, Instant scheduledFor) {
    Period current = current();
    boolean isOfBefore = current.keepsJobs() && !scheduledFor.isAfter(current.from());
    return (isOfBefore || !current.isSuspended()) && isOpenTo(ofGeneration, scheduledFor);
  }

  /** Whether a backlog keeps a fire: one that depends on another that waits is taken up now. */
  public boolean keepsFire(long ofGeneration, Instant scheduledFor) {
    return current().isBacklog() && isOpenTo(ofGeneration, scheduledFor);
  }

  private boolean isOpenTo(long ofGeneration, Instant scheduledFor) {
    return !isDeleted() && generation == ofGeneration && closedTo(scheduledFor).isEmpty();
  }

  /**
   * The end of the time in which an instant lies that may open no job, {@link Instant#MAX} if that
   * is not known yet; empty if the instant may.
   */
  public Optional<Instant> closedTo(Instant instant) {
    if (!instant.isAfter(beganAt())) {
      return Optional.of(beganAt());
    }
    if (!current().makesJobs() && instant.isAfter(current().from())) {
      return Optional.of(Instant.MAX);
    }
    return periods.closed().filter(pause -> pause.contains(instant)).map(Pause::to).findFirst();
  }

  /** The pauses in which no job could be opened, as times at which nothing fires. */
  public Exclusion closedPauses() {
    return instant ->
        periods.closed().filter(pause -> pause.contains(instant)).map(Pause::excluded).findFirst();
  }

  /** Since when jobs can be opened without a break; what waits for time to pass counts from it. */
  public Instant opensSince() {
    return Stream.concat(Stream.of(beganAt()), periods.closed().map(Pause::to))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /**
   * When a job has waited for as long as it may, not counting the time in which jobs were held
   * back; empty while they are. A job that was launched by hand in such a time is not held back by
   * it, and one that was so before is meant to go all the same: its end is never unknown.
   *
   * @param since when the job began to wait
   */
  public Optional<Instant> waitEnd(Instant since, Duration timeouts, boolean isByHand) {
    Instant began = remembersSince(since);
    Instant end = began.plus(timeouts);
    for (Pause pause : periods.pauses()) {
      boolean isMeant = isByHand && since.isAfter(pause.from());
      if (stopsClock(pause.period(), end) && !isMeant && pause.to().isAfter(began)) {
        end = end.plus(Duration.between(later(pause.from(), began), pause.to()));
      }
    }
    return stopsClock(current(), end) && !isByHand ? Optional.empty() : Optional.of(end);
  }

  /** The instant, or where memory begins if suspensions may be forgotten that were after it. */
  Instant remembersSince(Instant instant) {
    return periods.areFull() ? later(instant, beganAt()) : instant;
  }

  private static boolean stopsClock(Period period, Instant end) {
    return period.holdsJobs() && period.from().isBefore(end);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
