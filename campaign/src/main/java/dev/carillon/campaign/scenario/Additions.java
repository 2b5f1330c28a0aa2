package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Chance;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Wish;
import dev.carillon.campaign.scenario.Scenario.Excluding;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What users do beside the life of a schedule, in some episodes. Each kind has random numbers of
 * its own, so that an episode without it stays what it was.
 */
public final class Additions {

  private static final int SECOND = 1_000;

  private static final int HALF_MINUTE = 30 * SECOND;

  private final Chance backfills;
  private final Chance calendars;
  private final Outages outages;
  private final Chance apps;

  public Additions(long seed) {
    this.backfills = new Chance(~seed * 4);
    this.calendars = new Chance(~seed * 4 + 1);
    this.outages = new Outages(new Chance(~seed * 4 + 2));
    this.apps = new Chance(~seed * 4 + 3);
  }

  public Scenario to(Scenario scenario) {
    Scenario made = outages.to(withCalendar(withBackfills(scenario)));
    return new AppMaker(apps, made).make();
  }

  private Scenario withBackfills(Scenario scenario) {
    if (!backfills.oneIn(3)) {
      return scenario;
    }
    List<Wanted> puts =
        scenario.scripts().stream()
            .flatMap(List::stream)
            .filter(wanted -> wanted.kind() == Kind.PUT)
            .filter(wanted -> isPlain(wanted.wish()))
            .toList();
    List<List<Wanted>> scripts = new ArrayList<>();
    for (int i = backfills.of(1, 1, 2); i > 0 && !puts.isEmpty(); i--) {
      scripts.add(backfill(backfills.of(puts), scenario.faultsTo()));
    }
    return scenario.with(scripts);
  }

  /** Some of the documents exclude it; it changes while they do. */
  private Scenario withCalendar(Scenario scenario) {
    if (!calendars.oneIn(4)) {
      return scenario;
    }
    List<Excluding> changes = new ArrayList<>();
    long at = scenario.start();
    changes.add(new Excluding(at, stretches(scenario)));
    for (int i = calendars.of(0, 1, 1, 2, 3); i > 0; i--) {
      at = awkward(at, scenario.faultsTo());
      changes.add(new Excluding(at, stretches(scenario)));
    }
    long which = calendars.any();
    return scenario.excluding(
        wish -> (which >> (wish.version() % 32) & 3) == 0 ? wish : wish.excluding(), changes);
  }

  /** Of the time of the episode, and a little before; half of it from one fire to another. */
  private List<Stretch> stretches(Scenario scenario) {
    List<Stretch> stretches = new ArrayList<>();
    for (int i = calendars.of(0, 1, 1, 2, 3); i > 0; i--) {
      long from = scenario.start() + calendars.between(-240 * SECOND, 400 * SECOND);
      long to = from + calendars.between(SECOND, calendars.of(60, 240) * SECOND);
      int unit = calendars.of(SECOND, HALF_MINUTE);
      stretches.add(new Stretch(from / unit * unit, to / unit * unit + unit));
    }
    return stretches;
  }

  private long awkward(long after, long before) {
    long any = after + calendars.between(0, Math.max(SECOND, before - after));
    return calendars.oneIn(2)
        ? any
        : Math.max(after, any / HALF_MINUTE * HALF_MINUTE + calendars.between(-1_500, 1_500));
  }

  private static boolean isPlain(@Nullable Wish wish) {
    return wish != null && wish.isPlain();
  }

  /**
   * Of fires before the schedule was made, or of such as have been launched; some are cancelled.
   */
  private List<Wanted> backfill(Wanted put, long faultsTo) {
    long soon = Math.min(put.at() + backfills.between(0, 60 * SECOND), faultsTo);
    long at = backfills.oneIn(2) ? soon : backfills.between(put.at(), Math.max(put.at(), faultsTo));
    long to = at - backfills.between(5 * SECOND, backfills.of(60, 300) * SECOND);
    long from = to - backfills.between(30 * SECOND, 240 * SECOND);
    List<Wanted> script = new ArrayList<>();
    Wanted backfill = Wanted.backfill(put.schedule(), at, new Past(from, to));
    script.add(backfill);
    if (backfills.oneIn(4)) {
      long later = at + backfills.between(0, backfills.of(5, 60) * SECOND);
      script.add(Wanted.cancel(backfill, later));
    }
    return script;
  }
}
