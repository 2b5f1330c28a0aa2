package dev.carillon.client.schedule;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A condition that must hold before a job with a satisfied trigger launches. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Constraint.Concurrency.class, name = "concurrency"),
  @JsonSubTypes.Type(value = Constraint.Rate.class, name = "rate"),
  @JsonSubTypes.Type(value = Constraint.Delay.class, name = "delay"),
  @JsonSubTypes.Type(value = Constraint.TimeWindow.class, name = "timeWindow"),
  @JsonSubTypes.Type(value = Constraint.SinceLastRun.class, name = "sinceLastRun"),
  @JsonSubTypes.Type(value = Constraint.Resource.class, name = "resource")
})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public sealed interface Constraint {

  /** Limits the unfinished attempts of the program. */
  static Concurrency concurrency(int max) {
    return new Concurrency(max, null, OnUnmet.WAIT);
  }

  /** Limits the launches of the program to {@code max} within any period of {@code per}. */
  static Rate rate(int max, Duration per) {
    return new Rate(max, per, null, OnUnmet.WAIT);
  }

  /** Delays the launch after the trigger was satisfied. */
  static Delay delay(Duration duration) {
    return new Delay(duration, OnUnmet.WAIT);
  }

  /**
   * Allows launches at local times from {@code from}, inclusive, to {@code to}, exclusive; the
   * window may cross midnight.
   */
  static TimeWindow timeWindow(LocalTime from, LocalTime to) {
    return new TimeWindow(from.toString(), to.toString(), null, Set.of(), OnUnmet.WAIT);
  }

  /** Requires that this time has passed since the end of the program's last successful run. */
  static SinceLastRun sinceLastRun(Duration duration) {
    return new SinceLastRun(duration, OnUnmet.WAIT);
  }

  /** Requires a reported gauge of at most this value. */
  static Resource resourceAtMost(String name, BigDecimal most) {
    return new Resource(name, most, null, IfUnknown.WAIT, OnUnmet.WAIT);
  }

  /** Requires a reported gauge of at least this value. */
  static Resource resourceAtLeast(String name, BigDecimal least) {
    return new Resource(name, null, least, IfUnknown.WAIT, OnUnmet.WAIT);
  }

  /** The effect on the job while the constraint does not hold. */
  OnUnmet onUnmet();

  /** The effects of an unmet constraint on a job. */
  enum OnUnmet {
    /** The job waits. */
    @JsonProperty("wait")
    WAIT,
    /** The job ends SKIPPED, with the reason. */
    @JsonProperty("skip")
    SKIP;

    private static OnUnmet orWait(@Nullable OnUnmet given) {
      return given == null ? WAIT : given;
    }
  }

  /** The effect of a gauge that was not reported, or whose value has expired. */
  enum IfUnknown {
    /** The job waits. */
    @JsonProperty("wait")
    WAIT,
    /** The constraint holds. */
    @JsonProperty("allow")
    ALLOW
  }

  /** The days of a week. */
  enum Day {
    MON,
    TUE,
    WED,
    THU,
    FRI,
    SAT,
    SUN
  }

  /**
   * @param group the group whose programs share the limit; null for the program alone
   */
  record Concurrency(int max, @Nullable String group, OnUnmet onUnmet) implements Constraint {

    /** Applies the defaults. */
    public Concurrency {
      Counts.check(max);
      onUnmet = OnUnmet.orWait(onUnmet);
    }

    public Concurrency inGroup(String group) {
      return new Concurrency(max, group, onUnmet);
    }

    public Concurrency orSkip() {
      return new Concurrency(max, group, OnUnmet.SKIP);
    }
  }

  /**
   * @param group the group whose programs share the limit; null for the program alone
   */
  record Rate(int max, Duration per, @Nullable String group, OnUnmet onUnmet)
      implements Constraint {

    /** Applies the defaults. */
    public Rate {
      Counts.check(max);
      onUnmet = OnUnmet.orWait(onUnmet);
    }

    public Rate inGroup(String group) {
      return new Rate(max, per, group, onUnmet);
    }

    public Rate orSkip() {
      return new Rate(max, per, group, OnUnmet.SKIP);
    }
  }

  /** A delay after the trigger was satisfied. It cannot skip the job. */
  record Delay(Duration duration, OnUnmet onUnmet) implements Constraint {

    /** Applies the defaults. */
    public Delay {
      onUnmet = OnUnmet.orWait(onUnmet);
    }
  }

  /**
   * @param from {@code HH:mm} or {@code HH:mm:ss}
   * @param to in the same form; may be {@code 24:00}
   * @param zone null for the zone of the schedule
   * @param days the days on which the window opens; empty for all days
   */
  record TimeWindow(String from, String to, @Nullable ZoneId zone, Set<Day> days, OnUnmet onUnmet)
      implements Constraint {

    /** Applies the defaults. */
    public TimeWindow {
      days =
          days == null || days.isEmpty()
              ? Set.of()
              : Collections.unmodifiableSet(EnumSet.copyOf(days));
      onUnmet = OnUnmet.orWait(onUnmet);
    }

    public TimeWindow withZone(ZoneId zone) {
      return new TimeWindow(from, to, zone, days, onUnmet);
    }

    public TimeWindow on(Day first, Day... others) {
      return new TimeWindow(from, to, zone, EnumSet.of(first, others), onUnmet);
    }

    public TimeWindow orSkip() {
      return new TimeWindow(from, to, zone, days, OnUnmet.SKIP);
    }
  }

  /** A time that must have passed since the end of the program's last successful run. */
  record SinceLastRun(Duration duration, OnUnmet onUnmet) implements Constraint {

    /** Applies the defaults. */
    public SinceLastRun {
      onUnmet = OnUnmet.orWait(onUnmet);
    }

    public SinceLastRun orSkip() {
      return new SinceLastRun(duration, OnUnmet.SKIP);
    }
  }

  /**
   * A bound for the value of a gauge. Either {@code atMost} or {@code atLeast} is null.
   *
   * @param ifUnknown the effect while the gauge is unknown
   */
  record Resource(
      String name,
      @Nullable BigDecimal atMost,
      @Nullable BigDecimal atLeast,
      IfUnknown ifUnknown,
      OnUnmet onUnmet)
      implements Constraint {

    /** Applies the defaults. */
    public Resource {
      ifUnknown = ifUnknown == null ? IfUnknown.WAIT : ifUnknown;
      onUnmet = OnUnmet.orWait(onUnmet);
    }

    public Resource orAllowIfUnknown() {
      return new Resource(name, atMost, atLeast, IfUnknown.ALLOW, onUnmet);
    }

    public Resource orSkip() {
      return new Resource(name, atMost, atLeast, ifUnknown, OnUnmet.SKIP);
    }
  }
}
