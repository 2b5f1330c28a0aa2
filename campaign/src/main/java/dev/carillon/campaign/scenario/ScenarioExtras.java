package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Further user actions that some episodes have: backfills, calendars, outages, apps, programs with
 * limits, triggers, changes of clocks and fan-outs. Each kind has its own random numbers, so it
 * does not change episodes without it.
 */
public final class ScenarioExtras {

  private static final int SECOND = 1_000;

  private static final int HALF_MINUTE = 30 * SECOND;

  /** Distinguishes the random numbers of the limits from those of the other extras. */
  private static final long LIMITS = 0x4C_49_4D_49_54_53L;

  /** Distinguishes the random numbers of triggers from those of the other extras. */
  private static final long TRIGGERS = 0x7472_6967_6765_7273L;

  /** Distinguishes the random numbers of fan-outs from those of the other extras. */
  private static final long FAN_OUTS = 0x66_616e_6f75_7473L;

  /** Distinguishes the random numbers of changes of clocks from those of the other extras. */
  private static final long CLOCKS = 0x63_6c6f_636b_73L;

  private final SeededRandom backfills;
  private final SeededRandom calendars;
  private final OutageGenerator outages;
  private final SeededRandom apps;
  private final SeededRandom limits;
  private final TriggerScenarios triggers;
  private final ClockChanges clocks;
  private final FanOuts fanOuts;
  private final long seed;

  public ScenarioExtras(long seed) {
    this.backfills = new SeededRandom(~seed * 4);
    this.calendars = new SeededRandom(~seed * 4 + 1);
    this.outages = new OutageGenerator(new SeededRandom(~seed * 4 + 2));
    this.apps = new SeededRandom(~seed * 4 + 3);
    this.limits = new SeededRandom(seed ^ LIMITS);
    this.triggers = new TriggerScenarios(new SeededRandom(seed ^ TRIGGERS));
    this.clocks = new ClockChanges(new SeededRandom(seed ^ CLOCKS));
    this.fanOuts = new FanOuts(new SeededRandom(seed ^ FAN_OUTS));
    this.seed = seed;
  }

  public Scenario addTo(Scenario scenario) {
    Scenario moved = clocks.moved(scenario, seed);
    Scenario made = outages.addTo(withCalendar(withBackfills(moved)));
    Scenario deploying = new AppScenarioGenerator(apps, made).make();
    Scenario limited = new LimitGenerator(limits, deploying).make();
    return fanOuts.addTo(clocks.addTo(triggers.addTo(limited)));
  }

  private Scenario withBackfills(Scenario scenario) {
    if (!backfills.oneIn(3)) {
      return scenario;
    }
    List<UserAction> puts =
        scenario.scripts().stream()
            .flatMap(List::stream)
            .filter(action -> action.kind() == Kind.PUT)
            .filter(action -> isPlain(action.spec()))
            .toList();
    List<List<UserAction>> scripts = new ArrayList<>();
    for (int i = backfills.of(1, 1, 2); i > 0 && !puts.isEmpty(); i--) {
      scripts.add(backfill(backfills.of(puts), scenario.faultsTo()));
    }
    return scenario.with(scripts);
  }

  /** Adds a calendar that some documents exclude and that changes during the episode. */
  private Scenario withCalendar(Scenario scenario) {
    if (!calendars.oneIn(4)) {
      return scenario;
    }
    List<CalendarChange> changes = new ArrayList<>();
    long at = scenario.start();
    changes.add(new CalendarChange(at, timeRanges(scenario)));
    for (int i = calendars.of(0, 1, 1, 2, 3); i > 0; i--) {
      at = boundaryOrAny(at, scenario.faultsTo());
      changes.add(new CalendarChange(at, timeRanges(scenario)));
    }
    long which = calendars.any();
    return scenario.excluding(
        spec -> (which >> (spec.version() % 32) & 3) == 0 ? spec : spec.excludingCalendar(),
        changes);
  }

  /** Time ranges in the episode and shortly before it; half of them begin and end at fires. */
  private List<TimeRange> timeRanges(Scenario scenario) {
    List<TimeRange> timeRanges = new ArrayList<>();
    for (int i = calendars.of(0, 1, 1, 2, 3); i > 0; i--) {
      long from = scenario.start() + calendars.between(-240 * SECOND, 400 * SECOND);
      long to = from + calendars.between(SECOND, calendars.of(60, 240) * SECOND);
      int unit = calendars.of(SECOND, HALF_MINUTE);
      timeRanges.add(new TimeRange(from / unit * unit, to / unit * unit + unit));
    }
    return timeRanges;
  }

  private long boundaryOrAny(long after, long before) {
    long any = after + calendars.between(0, Math.max(SECOND, before - after));
    return calendars.oneIn(2)
        ? any
        : Math.max(after, any / HALF_MINUTE * HALF_MINUTE + calendars.between(-1_500, 1_500));
  }

  private static boolean isPlain(@Nullable ScheduleSpec spec) {
    return spec != null && spec.isPlain();
  }

  /**
   * A backfill of fires before the schedule existed, or of fires that were already launched; some
   * backfills are cancelled.
   */
  private List<UserAction> backfill(UserAction put, long faultsTo) {
    long soon = Math.min(put.at() + backfills.between(0, 60 * SECOND), faultsTo);
    long at = backfills.oneIn(2) ? soon : backfills.between(put.at(), Math.max(put.at(), faultsTo));
    long to = at - backfills.between(5 * SECOND, backfills.of(60, 300) * SECOND);
    long from = to - backfills.between(30 * SECOND, 240 * SECOND);
    List<UserAction> script = new ArrayList<>();
    UserAction backfill = UserAction.backfill(put.schedule(), at, new BackfillRange(from, to));
    script.add(backfill);
    if (backfills.oneIn(4)) {
      long later = at + backfills.between(0, backfills.of(5, 60) * SECOND);
      script.add(UserAction.cancel(backfill, later));
    }
    return script;
  }
}
