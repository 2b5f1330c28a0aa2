package dev.carillon.schedule;

import dev.carillon.id.ScheduleId;
import dev.carillon.time.Exclusion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The small part of a stored schedule that decides whether its jobs may go on; it is read
 * consistently right before every launch.
 *
 * @param generation the definition's epoch: grows on every change but one of description, tags or
 *     state, and never repeats, not even after a deletion
 * @param activation grows whenever the schedule is created, replaced, suspended, resumed, completed
 *     or deleted; a timer belongs to one activation
 * @param cancelBelow jobs opened under an activation smaller than this are cancelled
 * @param activeSince the schedule makes no job for any instant up to and including this one
 * @param version counts the stored changes; the ETag
 * @param suspension who suspended it, when and why; null unless SUSPENDED
 * @param pauses the suspensions since then that kept jobs, in order; at most {@link #MOST_PAUSES}
 */
public record Head(
    ScheduleId id,
    long generation,
    ScheduleState state,
    long activation,
    long cancelBelow,
    Instant activeSince,
    long version,
    @Nullable Suspension suspension,
    List<Pause> pauses,
    String program,
    @Nullable String app) {

  /**
   * The pauses that are remembered; with a further one {@code activeSince} moves to the end of the
   * first.
   */
  public static final int MOST_PAUSES = 10;

  private static final Duration CHANGE_SETTLES = Duration.ofSeconds(45);

  /** One that was not suspended since it is active, or is so for the first time. */
  public Head(
      ScheduleId id,
      long generation,
      ScheduleState state,
      long activation,
      long cancelBelow,
      Instant activeSince,
      long version,
      @Nullable Suspension suspension,
      String program,
      @Nullable String app) {
    this(
        id,
        generation,
        state,
        activation,
        cancelBelow,
        activeSince,
        version,
        suspension,
        List.of(),
        program,
        app);
  }

  /**
   * The state of things behind {@link Head#suspension}.
   *
   * @param until when it is resumed by itself; null for never
   * @param by who said so last
   * @param at since when it is suspended in this mode
   */
  public record Suspension(
      SuspendMode mode, @Nullable String reason, @Nullable Instant until, String by, Instant at) {

    /** One that lasts until somebody ends it. */
    public Suspension(SuspendMode mode, @Nullable String reason, String by, Instant at) {
      this(mode, reason, null, by, at);
    }

    private static final String NOT_ACTIVATED = "not activated yet";

    /** That of a schedule whose document does not ask for state ACTIVE. */
    static Suspension ofNew(String by, Instant at) {
      return new Suspension(SuspendMode.DISCARD, NOT_ACTIVATED, by, at);
    }

    /** Whether the schedule has never been activated. */
    public boolean isOfNew() {
      return NOT_ACTIVATED.equals(reason) && mode == SuspendMode.DISCARD && until == null;
    }

    /** Who suspended it, when, how and why. */
    public String told() {
      return "suspended by %s at %s, mode %s%s%s"
          .formatted(
              by,
              at,
              mode.text(),
              until == null ? "" : ", until " + until,
              reason == null ? "" : ": " + reason);
    }

    /** Whether it ends by itself, and has not been ended yet although it is time. */
    public boolean isOverdue(Instant now) {
      return until != null && !until.isAfter(now);
    }
  }

  /**
   * The activation with which a change begins that somebody makes. The one right behind this is
   * left to a suspension that ends by itself, which who counts events need not see stored.
   */
  long nextActivation() {
    return suspension == null || suspension.until() == null ? activation + 1 : activation + 2;
  }

  /**
   * As it is by now: a suspension ends when it has to, whether or not anybody has stored that yet.
   */
  public Head asOf(Instant now) {
    return suspension != null && suspension.isOverdue(now)
        ? resumed(Objects.requireNonNull(suspension.until()))
        : this;
  }

  /** Without its suspension, of which is remembered from when to when it kept jobs. */
  Head resumed(Instant at) {
    Suspension over = Objects.requireNonNull(suspension);
    Head past = past(at);
    return new Head(
        id,
        generation,
        ScheduleState.ACTIVE,
        at.equals(over.until()) ? activation + 1 : nextActivation(),
        cancelBelow,
        past.activeSince,
        version,
        null,
        past.pauses,
        program,
        app);
  }

  /** The same suspension, as if it were over by {@code end}. */
  Head past(Instant end) {
    Suspension over = Objects.requireNonNull(suspension);
    List<Pause> remembered = new ArrayList<>(pauses);
    Instant since = activeSince;
    if (over.mode().keepsJobs()) {
      remembered.add(new Pause(over.mode(), over.at(), end));
    } else {
      remembered.clear();
      since = end;
    }
    if (remembered.size() > MOST_PAUSES) {
      since = remembered.remove(0).to();
    }
    return new Head(
        id,
        generation,
        state,
        activation,
        cancelBelow,
        since,
        version,
        over,
        List.copyOf(remembered),
        program,
        app);
  }

  public boolean isDeleted() {
    return state == ScheduleState.DELETED;
  }

  /**
   * From when on nobody does anything any more as it was before its last change: that is what a
   * call of the API may take, and then a function that had read the head, and what clocks may
   * differ.
   */
  public Instant settledAt() {
    return changedAt().plus(CHANGE_SETTLES);
  }

  /**
   * When it was last created, replaced, suspended, resumed or deleted, by the clock of who did it.
   */
  private Instant changedAt() {
    Instant changed = activeSince;
    if (!pauses.isEmpty() && lastPause().to().isAfter(changed)) {
      changed = lastPause().to();
    }
    return suspension != null && suspension.at().isAfter(changed) ? suspension.at() : changed;
  }

  private Pause lastPause() {
    return pauses.get(pauses.size() - 1);
  }

  private boolean isSuspendedSo(Predicate<SuspendMode> mode) {
    return suspension != null && mode.test(suspension.mode());
  }

  /**
   * Whether a fire of this generation at {@code scheduledFor} is wanted now. A COMPLETED schedule
   * has no later fires, but its last ones may be looked at out of order. Of a suspended schedule
   * only what was due before can be; what a backlog keeps is wanted when it is resumed.
   */
  public boolean wantsFire(long ofGeneration, Instant scheduledFor) {
    boolean isOfBefore =
        suspension == null
            || (suspension.mode().keepsJobs() && !scheduledFor.isAfter(suspension.at()));
    return isOfBefore && isOpenTo(ofGeneration, scheduledFor);
  }

  /** Whether a backlog keeps it: it is wanted now if it has to be told whether another waits. */
  public boolean keepsFire(long ofGeneration, Instant scheduledFor) {
    return isSuspendedSo(SuspendMode::makesJobs) && isOpenTo(ofGeneration, scheduledFor);
  }

  private boolean isOpenTo(long ofGeneration, Instant scheduledFor) {
    return !isDeleted() && generation == ofGeneration && closedTo(scheduledFor).isEmpty();
  }

  /** Whether a job that was opened under these is still wanted. */
  public boolean wantsJob(long ofGeneration, long ofActivation) {
    return !isDeleted() && generation == ofGeneration && ofActivation >= cancelBelow;
  }

  /** Whether jobs have to wait until it is resumed. */
  public boolean holdsJobs() {
    return isSuspendedSo(SuspendMode::holdsJobs);
  }

  /** Whether events and fires that are collected into jobs concern it now. */
  public boolean collects() {
    return state == ScheduleState.ACTIVE || isSuspendedSo(SuspendMode::keepsJobs);
  }

  /** Whether what comes now may open a job. */
  public boolean opensJobs() {
    return state == ScheduleState.ACTIVE || isSuspendedSo(SuspendMode::makesJobs);
  }

  /**
   * The end of the time in which an instant lies that may open no job, {@link Instant#MAX} if that
   * is not known yet; empty if the instant may.
   */
  public Optional<Instant> closedTo(Instant instant) {
    if (!instant.isAfter(activeSince)) {
      return Optional.of(activeSince);
    }
    if (suspension != null && !suspension.mode().makesJobs() && instant.isAfter(suspension.at())) {
      return Optional.of(Instant.MAX);
    }
    return pauses.stream()
        .filter(pause -> !pause.mode().makesJobs() && pause.contains(instant))
        .map(Pause::to)
        .findFirst();
  }

  /** The pauses in which no job could be opened, as times at which nothing fires. */
  public Exclusion closedPauses() {
    return instant ->
        pauses.stream()
            .filter(pause -> !pause.mode().makesJobs() && pause.contains(instant))
            .map(Pause::excluded)
            .findFirst();
  }

  /** The instant, or the end of the last pause that is forgotten if it lies before that. */
  public Instant remembersSince(Instant instant) {
    boolean forgets = pauses.size() == MOST_PAUSES;
    return forgets && activeSince.isAfter(instant) ? activeSince : instant;
  }

  /** Since when jobs can be opened without a break; what waits for time to pass counts from it. */
  public Instant opensSince() {
    return pauses.stream()
        .filter(pause -> !pause.mode().makesJobs())
        .map(Pause::to)
        .filter(end -> end.isAfter(activeSince))
        .max(Comparator.naturalOrder())
        .orElse(activeSince);
  }

  /**
   * Up to when the fires of a timer are to be handed over: of one of an earlier activation as long
   * as no later timer does so. Empty if it is dead.
   */
  public Optional<Instant> timersEnd(long ofActivation) {
    if (isDeleted() || ofActivation < cancelBelow) {
      return Optional.empty();
    }
    if (suspension != null) {
      boolean isOfBacklog = suspension.mode().makesJobs() && ofActivation == activation;
      Instant end = isOfBacklog ? Instant.MAX : suspension.at();
      return suspension.mode().keepsJobs() ? Optional.of(end) : Optional.empty();
    }
    if (ofActivation == activation || state == ScheduleState.COMPLETED) {
      return Optional.of(Instant.MAX);
    }
    return pauses.isEmpty()
        ? Optional.empty()
        : Optional.of(lastPause().mode().makesJobs() ? lastPause().from() : lastPause().to());
  }
}
