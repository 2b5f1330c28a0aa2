package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.judge.Fact;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.PoolSpec;
import dev.carillon.campaign.judge.ScheduleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The actions of users and producers in an episode; instants are epoch milliseconds.
 *
 * @param faultsTo the instant until which faults are injected
 * @param end the end of the episode
 * @param repair milliseconds after the last fault within which the system must have recovered
 * @param firstTick when the master is first invoked; from then on once a minute
 * @param scripts lists of actions; each list is performed in order, concurrently with the others
 * @param limit the limit on unfinished attempts of all schedules together; 0 for none
 * @param refusal null if target queues accept every request
 * @param reports reports on a gauge to which every schedule is subject; the last one opens it
 *     permanently. If empty, no schedule has a gauge
 * @param calendar the changes of the calendar, the first of which precedes the episode; empty for
 *     no calendar
 * @param outage null if the master always runs
 * @param deployments lists of actions on an app; each list is performed in order, concurrently with
 *     the others
 * @param workers the workers of tracked jobs
 * @param pool the definitions of the pool, in order, the first of which precedes the episode; empty
 *     for no pool
 */
public record Scenario(
    long start,
    long faultsTo,
    long end,
    long repair,
    long firstTick,
    List<List<UserAction>> scripts,
    List<ProducedEvent> producedEvents,
    int limit,
    @Nullable Refusal refusal,
    List<Report> reports,
    List<CalendarChange> calendar,
    @Nullable Outage outage,
    List<List<Deployment>> deployments,
    WorkerPlan workers,
    List<PoolChange> pool) {

  /** A scenario without a calendar, an outage or an app. */
  Scenario(
      long start,
      long faultsTo,
      long end,
      long repair,
      long firstTick,
      List<List<UserAction>> scripts,
      List<ProducedEvent> producedEvents,
      int limit,
      @Nullable Refusal refusal,
      List<Report> reports) {
    this(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        List.of(),
        null,
        List.of(),
        WorkerPlan.NONE,
        List.of());
  }

  /** This scenario with further scripts. */
  Scenario with(List<List<UserAction>> further) {
    List<List<UserAction>> all = new ArrayList<>(scripts);
    all.addAll(further);
    return with(all, calendar);
  }

  /** This scenario with further scripts and events. */
  Scenario withEvents(List<List<UserAction>> further, List<ProducedEvent> furtherEvents) {
    List<ProducedEvent> all = new ArrayList<>(producedEvents);
    all.addAll(furtherEvents);
    Scenario more = with(further);
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        more.scripts(),
        all,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments,
        workers,
        pool);
  }

  /** This scenario with other scripts and another calendar. */
  Scenario with(List<List<UserAction>> others, List<CalendarChange> changes) {
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        others,
        producedEvents,
        limit,
        refusal,
        reports,
        changes,
        outage,
        deployments,
        workers,
        pool);
  }

  /** This scenario with at least this many quiet milliseconds after its faults. */
  Scenario lasting(long quiet) {
    return new Scenario(
        start,
        faultsTo,
        Math.max(end, faultsTo + quiet),
        repair,
        firstTick,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments,
        workers,
        pool);
  }

  /** This scenario with an app. */
  Scenario deploying(List<List<Deployment>> app) {
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        app,
        workers,
        pool);
  }

  /** This scenario with workers of tracked jobs. */
  public Scenario with(WorkerPlan plan) {
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments,
        plan,
        pool);
  }

  /** This scenario with a pool. */
  Scenario pooling(List<PoolChange> definitions) {
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments,
        workers,
        definitions);
  }

  /** This scenario with other documents and a calendar. */
  Scenario excluding(UnaryOperator<ScheduleSpec> document, List<CalendarChange> changes) {
    List<List<UserAction>> all =
        scripts.stream()
            .map(script -> script.stream().map(it -> it.with(document)).toList())
            .toList();
    return with(all, changes);
  }

  /** The time ranges that the calendar excludes at first; empty if there is no calendar. */
  public List<TimeRange> initialExclusions() {
    List<TimeRange> first = calendar.isEmpty() ? null : calendar.get(0).timeRanges();
    return first == null ? List.of() : first;
  }

  /** The names of the schedules of a fan-out begin with this. */
  public static final String FAN_OUT = "f";

  /** Whether so many schedules have one event key that a search of them takes several pages. */
  public boolean fansOut() {
    return scripts.stream()
        .flatMap(List::stream)
        .anyMatch(action -> action.schedule().startsWith(FAN_OUT));
  }

  /** The name of the pool. */
  public static final String POOL = "encode";

  /** The name of the calendar that some schedules exclude. */
  public static final String CALENDAR = "closed";

  /** The resource whose gauge limits every schedule, if any value is reported for it. */
  public static final String RESOURCE = "disk";

  /** The program of all schedules if their unfinished attempts are limited. */
  public static final String LIMITED = "limited";

  /** The least value of an open gauge. */
  public static final int OPEN = 10;

  /**
   * An action of a user on a schedule.
   *
   * @param at the earliest instant
   * @param spec the document of a PUT; for a LABEL the document that stays
   * @param mode the mode of a SUSPEND
   * @param until when a suspension ends; {@link History#NEVER} if it has no end
   * @param backfillRange the range of a BACKFILL; for a CANCEL, the range of the backfill to cancel
   */
  public record UserAction(
      String schedule,
      Kind kind,
      long at,
      @Nullable ScheduleSpec spec,
      @Nullable Mode mode,
      long until,
      @Nullable BackfillRange backfillRange) {

    /** An action that is neither a SUSPEND nor a BACKFILL. */
    public UserAction(String schedule, Kind kind, long at, @Nullable ScheduleSpec spec) {
      this(schedule, kind, at, spec, null, History.NEVER, null);
    }

    UserAction with(UnaryOperator<ScheduleSpec> document) {
      ScheduleSpec changed = spec == null ? null : document.apply(spec);
      return new UserAction(schedule, kind, at, changed, mode, until, backfillRange);
    }

    public static UserAction suspend(String schedule, long at, Mode mode, long until) {
      return new UserAction(schedule, Kind.SUSPEND, at, null, mode, until, null);
    }

    public static UserAction backfill(String schedule, long at, BackfillRange backfillRange) {
      return new UserAction(schedule, Kind.BACKFILL, at, null, null, History.NEVER, backfillRange);
    }

    public static UserAction cancel(UserAction backfill, long at) {
      return new UserAction(
          backfill.schedule(),
          Kind.CANCEL,
          at,
          null,
          null,
          History.NEVER,
          backfill.backfillRange());
    }
  }

  /**
   * An event that a producer sends.
   *
   * @param channel how it reaches the ingest queue
   * @param fact its content; null if it announces partitions
   */
  public record ProducedEvent(
      long at, String dataset, int weight, Channel channel, @Nullable Fact fact) {

    /** An event that announces partitions. */
    public ProducedEvent(long at, String dataset, int weight, Channel channel) {
      this(at, dataset, weight, channel, null);
    }

    /** An event that announces no partitions. */
    ProducedEvent(long at, Fact fact, Channel channel) {
      this(at, "", 1, channel, fact);
    }
  }

  /** The ways in which an event is sent. */
  public enum Channel {
    MESSAGE,
    MESSAGE_WITHOUT_ID,
    API,
    MALFORMED
  }

  /**
   * A user's report on the gauge.
   *
   * @param value null to delete the value
   * @param ttl milliseconds; 0 for no expiry
   */
  public record Report(long at, @Nullable Integer value, long ttl) {}

  /**
   * A change of the calendar by a user.
   *
   * @param timeRanges null to delete the calendar
   */
  public record CalendarChange(long at, @Nullable List<TimeRange> timeRanges) {
    public static CalendarChange deletion(long at) {
      return new CalendarChange(at, null);
    }
  }

  /** A definition of the pool that a user stores. */
  public record PoolChange(long at, PoolSpec definition) {}

  /** The time in which the target queue does not exist. */
  public record Refusal(long from, long to) {}
}
