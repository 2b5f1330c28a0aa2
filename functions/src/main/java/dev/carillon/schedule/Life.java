package dev.carillon.schedule;

import dev.carillon.time.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The life of a schedule: the periods in which it was active or suspended, and which of the jobs
 * and timers made in them still count. All rules about periods, jobs and timers follow from these
 * values alone.
 *
 * @param generation the version of the definition: grows on every change except one of description,
 *     tags or state, and never repeats, not even after a deletion
 * @param state SUSPENDED exactly if the current period has a mode
 * @param activation grows whenever the schedule is created, replaced, suspended, resumed or
 *     deleted, and when its suspension gets another end; timers, jobs and collecting jobs carry the
 *     activation under which they were made
 * @param minLiveActivation jobs and timers of a smaller activation are cancelled
 * @param heldSince the activation with which the schedule began to hold jobs, even if the mode has
 *     changed since then; 0 while it holds no jobs
 * @param periods the periods since the last change that cancelled everything
 * @param until when the suspension ends automatically; null for never
 */
public record Life(
    long generation,
    ScheduleState state,
    long activation,
    long minLiveActivation,
    long heldSince,
    Periods periods,
    @Nullable Instant until) {

  private static final Duration CHANGE_SETTLES = Duration.ofSeconds(45);

  public Life {
    boolean wasStoredWithout = heldSince == 0;
    heldSince = !periods.current().holdsJobs() ? 0 : wasStoredWithout ? activation : heldSince;
    if (periods.current().isSuspended() != (state == ScheduleState.SUSPENDED)) {
      throw new IllegalArgumentException(
          "state " + state + " does not fit the current period " + periods.current());
    }
  }

  // ---- changes

  /**
   * Begins a life that keeps no jobs and timers from before.
   *
   * @param mode the mode of the initial suspension; null if the schedule begins active
   */
  public static Life begun(
      long generation,
      long activation,
      @Nullable SuspendMode mode,
      @Nullable Instant until,
      Instant at) {
    ScheduleState state = mode == null ? ScheduleState.ACTIVE : ScheduleState.SUSPENDED;
    Periods first = Periods.of(new Period(mode, at));
    return new Life(generation, state, activation, activation, activation, first, until);
  }

  /** Suspends the schedule, or changes the mode. DISCARD cancels all jobs and timers. */
  Life suspended(SuspendMode mode, @Nullable Instant end, Instant at) {
    long next = nextActivation();
    Period period = following(mode, at);
    if (!mode.keepsJobs()) {
      return new Life(generation, ScheduleState.SUSPENDED, next, next, 0, Periods.of(period), end);
    }
    return new Life(
        generation,
        ScheduleState.SUSPENDED,
        next,
        minLiveActivation,
        holdsJobs() ? heldSince : next,
        periods.followedBy(period),
        end);
  }

  /** Gives the suspension another end, in the same mode. */
  Life endingAt(@Nullable Instant end) {
    return new Life(
        generation, state, nextActivation(), minLiveActivation, heldSince, periods, end);
  }

  /** Resumes the schedule; a resumption at {@link #until} is the automatic end. */
  Life resumed(Instant at) {
    return new Life(
        generation,
        ScheduleState.ACTIVE,
        at.equals(until) ? activation + 1 : nextActivation(),
        minLiveActivation,
        0,
        periods.followedBy(following(null, at)),
        null);
  }

  /** Completes the schedule: no fires follow, and existing jobs proceed. */
  Life completed() {
    return new Life(
        generation, ScheduleState.COMPLETED, activation, minLiveActivation, 0, periods, null);
  }

  Life deleted(Instant at) {
    long next = nextActivation();
    Periods last = Periods.of(following(null, at));
    return new Life(generation, ScheduleState.DELETED, next, next, 0, last, null);
  }

  /**
   * Ensures that no period begins before the previous one, although the clocks of callers differ.
   */
  private Period following(@Nullable SuspendMode mode, Instant at) {
    return new Period(mode, Periods.later(at, current().from()));
  }

  /**
   * The activation with which a caller's change begins. If the suspension has a planned end, the
   * preceding activation is reserved for that end, because a function can act on the end before it
   * is stored.
   */
  long nextActivation() {
    return until == null ? activation + 1 : activation + 2;
  }

  /**
   * The life as of {@code now}. A suspension ends at its planned end, even if this end is not
   * stored yet.
   */
  public Life asOf(Instant now) {
    return until == null || until.isAfter(now) ? this : resumed(until);
  }

  /** Whether the suspension has reached its planned end, and the resumption is not stored yet. */
  public boolean isResumptionDue(Instant now) {
    return until != null && !until.isAfter(now);
  }

  Period current() {
    return periods.current();
  }

  // ---- questions about now

  public boolean isDeleted() {
    return state == ScheduleState.DELETED;
  }

  /** Whether jobs wait until the schedule is resumed. */
  public boolean holdsJobs() {
    return current().holdsJobs();
  }

  /**
   * Whether a job waits until the schedule is resumed, if a caller or a backfill launched it under
   * the given activation. Only jobs that were already waiting when the schedule began to hold jobs
   * wait until then.
   */
  public boolean holdsLaunchesOf(long ofActivation) {
    return holdsJobs() && ofActivation < heldSince;
  }

  /** Whether the collecting job counts events and fires now. */
  public boolean collects() {
    return isActiveOrSuspended() && current().keepsJobs();
  }

  /** Whether a fire or event can open a job now. */
  public boolean opensJobs() {
    return isActiveOrSuspended() && current().makesJobs();
  }

  private boolean isActiveOrSuspended() {
    return state == ScheduleState.ACTIVE || state == ScheduleState.SUSPENDED;
  }

  /** Whether the schedule is suspended, or was suspended in a mode that kept its jobs. */
  public boolean hasPaused() {
    return periods.haveSuspension();
  }

  /**
   * The instant after which no function acts on the state before the last change. The margin covers
   * the duration of the API call, the duration of a function that read the head before the change,
   * and the differences of clocks.
   */
  public Instant settledAt() {
    return current().from().plus(CHANGE_SETTLES);
  }

  // ---- questions about the jobs and timers of an activation

  /** Whether jobs and timers of an activation still count. */
  public boolean isLive(long ofActivation) {
    return ofActivation >= minLiveActivation;
  }

  /** Whether a job of this generation and activation still counts. */
  public boolean wantsJob(long ofGeneration, long ofActivation) {
    return !isDeleted() && generation == ofGeneration && isLive(ofActivation);
  }

  /**
   * The smallest activation whose jobs are still held; jobs of smaller activations are held no
   * longer.
   */
  public long minHeldActivation() {
    return holdsJobs() ? minLiveActivation : activation;
  }

  /** Whether a change from {@code before} to this life cancels existing jobs. */
  public boolean cancelsJobsOf(Life before) {
    return minLiveActivation != before.minLiveActivation;
  }

  /**
   * The instant up to which fires of a timer are handed over. A timer of an earlier activation
   * hands over its fires until the instant from which a later timer hands them over. The result is
   * empty if the timer is dead.
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

  /** The instant up to which the schedule makes no jobs. */
  public Instant beganAt() {
    return periods.beganAt();
  }

  /**
   * Whether a fire of this generation at {@code scheduledFor} launches now. A COMPLETED schedule
   * has no later fires, but its last fires can be checked out of order. A suspended schedule
   * launches only fires that were due before; fires of a backlog launch when it is resumed.
   */
  public boolean wantsFire(long ofGeneration, Instant scheduledFor) {
    Period current = current();
    boolean wasDueBefore = current.keepsJobs() && !scheduledFor.isAfter(current.from());
    return (wasDueBefore || !current.isSuspended()) && isOpenTo(ofGeneration, scheduledFor);
  }

  /** Whether a backlog keeps a fire of this generation at {@code scheduledFor}. */
  public boolean keepsFire(long ofGeneration, Instant scheduledFor) {
    return current().isBacklog() && isOpenTo(ofGeneration, scheduledFor);
  }

  private boolean isOpenTo(long ofGeneration, Instant scheduledFor) {
    return !isDeleted() && generation == ofGeneration && closedTo(scheduledFor).isEmpty();
  }

  /**
   * The end of the closed time that contains an instant; no job can be opened for an instant in a
   * closed time. It is {@link Instant#MAX} if the end is not known yet, and empty if the instant is
   * not in a closed time.
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

  /** The closed times of suspensions that have ended, as times without fires. */
  public Exclusion closedPauses() {
    return instant ->
        periods.closed().filter(pause -> pause.contains(instant)).map(Pause::excluded).findFirst();
  }

  /**
   * Since when jobs can be opened without interruption. An elapsed leaf counts from this instant.
   */
  public Instant opensSince() {
    return Stream.concat(Stream.of(beganAt()), periods.closed().map(Pause::to))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The instant that {@link Periods#waitEnd} gives. */
  public Optional<Instant> waitEnd(Instant since, Duration timeout, boolean isManual) {
    return periods.waitEnd(since, timeout, isManual);
  }
}
