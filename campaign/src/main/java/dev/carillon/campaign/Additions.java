package dev.carillon.campaign;

import dev.carillon.campaign.Scenario.Wanted;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.Wish;
import java.util.ArrayList;
import java.util.List;

/**
 * What users do beside the life of a schedule, in some episodes. Each kind has random numbers of
 * its own, so that an episode without it stays what it was.
 */
final class Additions {

  private static final int SECOND = 1_000;

  private final Chance backfills;

  Additions(long seed) {
    this.backfills = new Chance(~seed * 4);
  }

  Scenario to(Scenario scenario) {
    return withBackfills(scenario);
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

  private static boolean isPlain(@org.jspecify.annotations.Nullable Wish wish) {
    return wish != null && wish.isPlain();
  }

  /** Of fires before the schedule was made, or of such as have been launched; some are cancelled. */
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
