package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Chance;
import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Wish;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import dev.carillon.campaign.judge.Wish.Leaf;
import dev.carillon.campaign.judge.Wish.Partitions;
import dev.carillon.campaign.judge.Wish.Rate;
import dev.carillon.campaign.scenario.Scenario.Excluding;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Has users deploy an app, in some episodes, and delete the calendar, in some that have one. */
final class AppMaker {

  private static final int SECOND = 1_000;
  private static final int HALF_MINUTE = 30 * SECOND;

  private final Chance chance;
  private final Scenario scenario;
  private int versions;

  AppMaker(Chance chance, Scenario scenario) {
    this.chance = chance;
    this.scenario = scenario;
    this.versions =
        scenario.scripts().stream()
            .flatMap(List::stream)
            .map(Wanted::wish)
            .mapToInt(wish -> wish == null ? 0 : wish.version())
            .max()
            .orElse(0);
  }

  Scenario make() {
    boolean deploys = chance.oneIn(5);
    boolean removes = chance.oneIn(2) && !scenario.calendar().isEmpty();
    Scenario next = removes ? withoutCalendar() : scenario;
    return deploys ? withApp(next, !removes && !scenario.calendar().isEmpty()) : next;
  }

  // ---- the calendar

  /**
   * It is to be deleted, first perhaps while it is in use; then no document excludes it any more;
   * some do again when it may be back.
   */
  private Scenario withoutCalendar() {
    long unused = awkward(scenario.start() + 20 * SECOND);
    boolean returns = chance.oneIn(2);
    List<List<Wanted>> scripts =
        scenario.scripts().stream().map(script -> released(script, unused, returns)).toList();
    List<Excluding> changes = new ArrayList<>(scenario.calendar());
    if (chance.oneIn(2)) {
      changes.add(Excluding.removal(awkward(scenario.start())));
    }
    long at = unused;
    for (int i = chance.of(1, 2, 3); i > 0; i--) {
      at += chance.between(0, 12 * SECOND);
      changes.add(Excluding.removal(at));
    }
    if (returns) {
      at += chance.between(0, 20 * SECOND);
      long from = at / SECOND * SECOND + chance.between(-60, 60) * SECOND;
      Stretch closed = new Stretch(from, from + chance.between(5, 90) * SECOND);
      changes.add(new Excluding(at, List.of(closed)));
    }
    return scenario.with(scripts, changes);
  }

  private List<Wanted> released(List<Wanted> script, long at, boolean returns) {
    Wanted last = lastPut(script);
    Wish wish = last == null ? null : last.wish();
    if (last == null || wish == null || !wish.namesCalendar()) {
      return script;
    }
    List<Wanted> longer = new ArrayList<>(script);
    Wish free = wish.anew(++versions, false);
    longer.add(
        chance.oneIn(4)
            ? new Wanted(last.schedule(), Kind.DELETE, at, null)
            : new Wanted(last.schedule(), Kind.PUT, at, free));
    if (returns && chance.oneIn(2)) {
      long again = at + chance.between(0, 40 * SECOND);
      Wish excluding = wish.anew(++versions, true);
      longer.add(new Wanted(last.schedule(), Kind.PUT, again, excluding));
    }
    return longer;
  }

  private static @Nullable Wanted lastPut(List<Wanted> script) {
    Wanted last = null;
    for (Wanted wanted : script) {
      last = wanted.kind() == Kind.PUT ? wanted : last;
    }
    return last;
  }

  // ---- the app

  private Scenario withApp(Scenario base, boolean excludes) {
    boolean isContended = chance.oneIn(3);
    long first = base.start() + chance.between(0, 40 * SECOND);
    long second = awkward(first + 5 * SECOND);
    SortedMap<String, Wish> documents = new TreeMap<>();
    documents.put("a0", wish(excludes));
    if (chance.oneIn(2)) {
      documents.put("a1", wish(excludes));
    }
    List<Deployment> script = new ArrayList<>();
    script.add(new Deployment(first, Action.DEPLOY, documents));
    if (chance.oneIn(4)) {
      long between = first + chance.between(0, second - first);
      script.add(new Deployment(between, Action.FAULTY, changed(documents, isContended, excludes)));
    }
    SortedMap<String, Wish> redeployed = changed(documents, isContended, excludes);
    script.add(new Deployment(second, Action.DEPLOY, redeployed));
    List<List<Deployment>> scripts = new ArrayList<>(List.of(script));
    if (isContended) {
      SortedMap<String, Wish> others = new TreeMap<>();
      others.put("a3", wish(excludes));
      if (chance.oneIn(2)) {
        others.put("a0", wish(excludes));
      }
      long at = Math.max(first, second + chance.between(-SECOND, SECOND));
      scripts.add(List.of(new Deployment(at, Action.DEPLOY, others, null, true)));
    } else {
      suspend(script, redeployed);
      addLater(script, redeployed, excludes);
    }
    Scenario deploying = base.deploying(scripts);
    return chance.oneIn(3)
        ? deploying.with(
            List.of(List.of(new Wanted("a0", Kind.LAUNCH, awkward(first + SECOND), null))))
        : deploying;
  }

  /** One of its schedules, before it is deployed again; mostly it is resumed afterwards. */
  private void suspend(List<Deployment> script, SortedMap<String, Wish> redeployed) {
    Deployment first = script.get(0);
    Deployment last = script.get(script.size() - 1);
    if (!chance.oneIn(3)) {
      return;
    }
    Map<String, Wish> one = Map.of("a0", first.documents().get("a0"));
    long at = last.at() - chance.between(0, Math.min(40 * SECOND, last.at() - first.at()));
    Mode mode = chance.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
    script.add(1, new Deployment(at, Action.SUSPEND, one, mode, false));
    if (redeployed.containsKey("a0") && !chance.oneIn(5)) {
      long later = last.at() + chance.between(0, 40 * SECOND);
      script.add(new Deployment(later, Action.RESUME, one));
    }
  }

  /** A program of it goes, or all of it, and perhaps it comes back. */
  private void addLater(
      List<Deployment> script, SortedMap<String, Wish> documents, boolean excludes) {
    long at = awkward(script.get(script.size() - 1).at());
    boolean ofOwn = scenario.limit() == 0;
    String name = chance.of(List.copyOf(documents.keySet()));
    SortedMap<String, Wish> rest = new TreeMap<>(documents);
    switch (chance.below(6)) {
      case 0, 1 -> {
        script.add(new Deployment(at, Action.DELETE, Map.of()));
        rest.clear();
      }
      case 2 -> {
        if (ofOwn) {
          script.add(new Deployment(at, Action.PROGRAM, Map.of(name, documents.get(name))));
          rest.remove(name);
        }
      }
      case 3 -> {
        if (ofOwn) {
          rest.remove(name);
          SortedMap<String, Wish> ignored = new TreeMap<>();
          rest.keySet().forEach(kept -> ignored.put(kept, wish(excludes)));
          script.add(new Deployment(at, Action.PRUNE, ignored));
        }
      }
      default -> {
        return;
      }
    }
    if (chance.oneIn(2)) {
      long again = at + chance.between(0, HALF_MINUTE);
      if (rest.isEmpty()) {
        rest.put("a0", wish(excludes));
      }
      script.add(new Deployment(again, Action.DEPLOY, changed(rest, false, excludes)));
    }
  }

  /**
   * Another version of the app: each schedule is changed, dropped or left, and one may be new.
   *
   * @param all whether none is left as it is
   */
  private SortedMap<String, Wish> changed(
      SortedMap<String, Wish> documents, boolean all, boolean excludes) {
    SortedMap<String, Wish> changed = new TreeMap<>();
    documents.forEach(
        (name, wish) -> {
          switch (chance.below(4)) {
            case 0 -> {
              // It is dropped.
            }
            case 1 -> changed.put(name, all ? wish(excludes) : wish);
            default -> changed.put(name, wish(excludes));
          }
        });
    if (changed.isEmpty() || chance.oneIn(2)) {
      changed.put("a2", wish(excludes));
    }
    return changed;
  }

  private Wish wish(boolean excludes) {
    List<Leaf> leaves =
        switch (chance.below(6)) {
          case 0 -> List.of(new Cron("0/30 * * * * ?"));
          case 1 -> List.of(new Rate(chance.between(30, 90) * SECOND, scenario.start()));
          case 2 -> List.of(partitions());
          case 3 -> List.of(minutely(), partitions());
          default -> List.of(minutely());
        };
    Join join = chance.of(Join.ANY, Join.ALL);
    Wish wish = new Wish(++versions, leaves.size() == 1 ? Join.ANY : join, leaves, false);
    Wish limited = wish.limited(scenario.limit());
    return excludes && chance.oneIn(3) ? limited.excluding() : limited;
  }

  private Leaf minutely() {
    return new Cron(chance.of(0, 0, 30, chance.below(60)) + " * * * * ?");
  }

  private Leaf partitions() {
    return new Partitions(chance.of("d", "e"), chance.between(1, 3));
  }

  /** Near a full half minute, where fires are, or at any time. */
  private long awkward(long after) {
    long any = after + chance.between(0, Math.max(SECOND, scenario.faultsTo() - after));
    return chance.oneIn(2)
        ? any
        : Math.max(after, any / HALF_MINUTE * HALF_MINUTE + chance.between(-1_500, 1_500));
  }
}
