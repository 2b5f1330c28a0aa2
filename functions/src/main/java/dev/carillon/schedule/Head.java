package dev.carillon.schedule;

import dev.carillon.gate.DemandCounts;
import dev.carillon.gate.LimitTexts;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.Exclusion;
import dev.carillon.time.Timestamps;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The small part of a stored schedule that decides whether its jobs proceed. The checker reads it
 * consistently before every launch. Its methods delegate to its {@link Life}.
 *
 * @param version counts the stored changes; the ETag
 * @param suspendedBy the caller and the reason of the suspension; null unless the state is
 *     SUSPENDED
 * @param limits the limits that the schedule sets at gates, in the form in which gates count them
 *     ({@link LimitTexts}); null if it sets none
 */
public record Head(
    ScheduleId id,
    long version,
    Life life,
    @Nullable SuspendedBy suspendedBy,
    String program,
    @Nullable String app,
    @Nullable String limits) {

  /** The head of a schedule that sets no limits. */
  public Head(
      ScheduleId id,
      long version,
      Life life,
      @Nullable SuspendedBy suspendedBy,
      String program,
      @Nullable String app) {
    this(id, version, life, suspendedBy, program, app, null);
  }

  /**
   * A suspension as callers request and read it.
   *
   * @param until when it ends automatically; null for never
   * @param by the caller that last changed the suspension
   * @param at since when the schedule is suspended in this mode
   */
  public record Suspension(
      SuspendMode mode, @Nullable String reason, @Nullable Instant until, String by, Instant at) {

    /** A suspension that lasts until a caller ends it. */
    public Suspension(SuspendMode mode, @Nullable String reason, String by, Instant at) {
      this(mode, reason, null, by, at);
    }

    private static final String NOT_ACTIVATED = "not activated yet";

    /** The suspension of a new schedule whose document does not ask for state ACTIVE. */
    static Suspension ofNew(String by, Instant at) {
      return new Suspension(SuspendMode.DISCARD, NOT_ACTIVATED, by, at);
    }

    /** Whether the schedule has never been activated. */
    public boolean isNeverActivated() {
      return NOT_ACTIVATED.equals(reason) && mode == SuspendMode.DISCARD && until == null;
    }

    /** Describes the suspension: its caller, instant, mode and reason. */
    public String description() {
      return "suspended by %s at %s, mode %s%s%s"
          .formatted(
              by,
              Timestamps.text(at),
              mode.text(),
              until == null ? "" : ", until " + Timestamps.text(until),
              reason == null ? "" : ": " + reason);
    }

    SuspendedBy suspendedBy() {
      return new SuspendedBy(by, reason, at);
    }
  }

  /** The current suspension; null unless the state is SUSPENDED. */
  public @Nullable Suspension suspension() {
    SuspendMode mode = life.current().mode();
    return mode == null || suspendedBy == null
        ? null
        : new Suspension(
            mode, suspendedBy.reason(), life.until(), suspendedBy.caller(), suspendedBy.at());
  }

  /** The head that is stored next. */
  Head next(Life then, @Nullable SuspendedBy by) {
    return new Head(id, version + 1, then, by, program, app, then.isDeleted() ? null : limits);
  }

  /** The head of a schedule that never fires again. */
  Head completed() {
    return new Head(id, version, life.completed(), null, program, app, limits);
  }

  /** The head as of an instant, by {@link Life#asOf}. */
  public Head asOf(Instant now) {
    return life.isResumptionDue(now)
        ? new Head(id, version, life.asOf(now), null, program, app, limits)
        : this;
  }

  /** The counts that the schedule adds at gates. */
  public DemandCounts demands() {
    return DemandCounts.of(id.namespace(), program, limits);
  }

  public long generation() {
    return life.generation();
  }

  public ScheduleState state() {
    return life.state();
  }

  /**
   * When the schedule was last stored with a changed definition, or resumed; null unless the state
   * is ACTIVE.
   */
  public @Nullable Instant activeSince() {
    return state() == ScheduleState.ACTIVE ? life.current().from() : null;
  }

  public long activation() {
    return life.activation();
  }

  public boolean isDeleted() {
    return life.isDeleted();
  }

  public Instant settledAt() {
    return life.settledAt();
  }

  public boolean wantsFire(long ofGeneration, Instant scheduledFor) {
    return life.wantsFire(ofGeneration, scheduledFor);
  }

  public boolean keepsFire(long ofGeneration, Instant scheduledFor) {
    return life.keepsFire(ofGeneration, scheduledFor);
  }

  public boolean wantsJob(long ofGeneration, long ofActivation) {
    return life.wantsJob(ofGeneration, ofActivation);
  }

  public boolean holdsJobs() {
    return life.holdsJobs();
  }

  /** Answers as {@link Life#holdsLaunchesOf}. */
  public boolean holdsLaunchesOf(long activation) {
    return life.holdsLaunchesOf(activation);
  }

  public boolean collects() {
    return life.collects();
  }

  public boolean opensJobs() {
    return life.opensJobs();
  }

  public Optional<Instant> closedTo(Instant instant) {
    return life.closedTo(instant);
  }

  public Exclusion closedPauses() {
    return life.closedPauses();
  }

  public Instant opensSince() {
    return life.opensSince();
  }

  public Optional<Instant> timersEnd(long ofActivation) {
    return life.timersEnd(ofActivation);
  }
}
