package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What users and producers do in an episode; instants in epoch milliseconds.
 *
 * @param faultsTo faults strike until then
 * @param end the episode's
 * @param repair milliseconds after the last fault within which everything must be in order again
 * @param firstTick when the master is first invoked; then each minute
 * @param scripts each is carried out in order, beside the others
 * @param limit how many unfinished attempts all schedules may have together; 0 for any number
 * @param refusal null if target queues take everything
 * @param reports of a gauge that every schedule is under; the last opens it for good. Without any
 *     no schedule is
 * @param calendar the first is there from the beginning; empty if there is none
 * @param outage null if the master ticks all the time
 * @param deployments of an app; each list is carried out in order, beside the others
 */
public record Scenario(
    long start,
    long faultsTo,
    long end,
    long repair,
    long firstTick,
    List<List<Wanted>> scripts,
    List<Fact> facts,
    int limit,
    @Nullable Refusal refusal,
    List<Report> reports,
    List<Excluding> calendar,
    @Nullable Outage outage,
    List<List<Deployment>> deployments) {

  /** One without a calendar, an outage and an app. */
  Scenario(
      long start,
      long faultsTo,
      long end,
      long repair,
      long firstTick,
      List<List<Wanted>> scripts,
      List<Fact> facts,
      int limit,
      @Nullable Refusal refusal,
      List<Report> reports) {
    this(
        start, faultsTo, end, repair, firstTick, scripts, facts, limit, refusal, reports, List.of(),
        null, List.of());
  }

  /** The same with further scripts. */
  Scenario with(List<List<Wanted>> further) {
    List<List<Wanted>> all = new ArrayList<>(scripts);
    all.addAll(further);
    return with(all, calendar);
  }

  /** The same with other scripts, and another calendar. */
  Scenario with(List<List<Wanted>> others, List<Excluding> changes) {
    return new Scenario(
        start,
        faultsTo,
        end,
        repair,
        firstTick,
        others,
        facts,
        limit,
        refusal,
        reports,
        changes,
        outage,
        deployments);
  }

  /** The same with an app. */
  Scenario deploying(List<List<Deployment>> app) {
    return new Scenario(
        start, faultsTo, end, repair, firstTick, scripts, facts, limit, refusal, reports, calendar,
        outage, app);
  }

  /** The same with other documents, and a calendar. */
  Scenario excluding(UnaryOperator<Wish> document, List<Excluding> changes) {
    List<List<Wanted>> all =
        scripts.stream()
            .map(script -> script.stream().map(it -> it.with(document)).toList())
            .toList();
    return with(all, changes);
  }

  /** What the calendar excludes in the beginning; nothing if there is none. */
  public List<Stretch> firstStretches() {
    List<Stretch> first = calendar.isEmpty() ? null : calendar.get(0).stretches();
    return first == null ? List.of() : first;
  }

  /** The calendar that some schedules exclude. */
  public static final String CALENDAR = "closed";

  /** The resource whose gauge every schedule wants open, if anything is reported of it. */
  public static final String RESOURCE = "disk";

  /** What its gauge must show at least. */
  public static final int OPEN = 10;

  /**
   * Something that a user wants.
   *
   * @param at not before this
   * @param wish of a PUT, and of a LABEL the one that stays
   * @param mode of a SUSPEND
   * @param until when a suspension ends by itself; {@link History#NEVER} if it does not
   * @param past of a BACKFILL, and of the CANCEL that is meant for it
   */
  public record Wanted(
      String schedule,
      Kind kind,
      long at,
      @Nullable Wish wish,
      @Nullable Mode mode,
      long until,
      @Nullable Past past) {

    /** Anything but a SUSPEND or a BACKFILL. */
    public Wanted(String schedule, Kind kind, long at, @Nullable Wish wish) {
      this(schedule, kind, at, wish, null, History.NEVER, null);
    }

    Wanted with(UnaryOperator<Wish> document) {
      Wish changed = wish == null ? null : document.apply(wish);
      return new Wanted(schedule, kind, at, changed, mode, until, past);
    }

    public static Wanted suspend(String schedule, long at, Mode mode, long until) {
      return new Wanted(schedule, Kind.SUSPEND, at, null, mode, until, null);
    }

    public static Wanted backfill(String schedule, long at, Past past) {
      return new Wanted(schedule, Kind.BACKFILL, at, null, null, History.NEVER, past);
    }

    public static Wanted cancel(Wanted backfill, long at) {
      return new Wanted(
          backfill.schedule(), Kind.CANCEL, at, null, null, History.NEVER, backfill.past());
    }
  }

  /**
   * Something that a producer announces.
   *
   * @param way how it gets into the ingest queue
   */
  public record Fact(long at, String dataset, int weight, Way way) {}

  /** How an event comes. */
  public enum Way {
    MESSAGE,
    MESSAGE_WITHOUT_ID,
    API,
    MALFORMED
  }

  /**
   * What a user reports of the gauge.
   *
   * @param value null for nothing any more
   * @param ttl milliseconds; 0 for ever
   */
  public record Report(long at, @Nullable Integer value, long ttl) {}

  /**
   * What a user has the calendar exclude.
   *
   * @param stretches null if there shall be no calendar
   */
  public record Excluding(long at, @Nullable List<Stretch> stretches) {
    public static Excluding removal(long at) {
      return new Excluding(at, null);
    }
  }

  /** A time during which the target queue is missing. */
  public record Refusal(long from, long to) {}
}
