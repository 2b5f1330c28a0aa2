package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.ScheduleSpec.Rate;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds an app that users deploy, and deletions of the calendar, to some scenarios. */
final class AppScenarioGenerator {

  private static final int SECOND = 1_000;
  private static final int HALF_MINUTE = 30 * SECOND;

  private final SeededRandom random;
  private final Scenario scenario;
  private int versions;

  AppScenarioGenerator(SeededRandom random, Scenario scenario) {
    this.random = random;
    this.scenario = scenario;
    this.versions =
        scenario.scripts().stream()
            .flatMap(List::stream)
            .map(UserAction::spec)
            .mapToInt(spec -> spec == null ? 0 : spec.version())
            .max()
            .orElse(0);
  }

  Scenario make() {
    boolean deploys = random.oneIn(5);
    boolean removes = random.oneIn(2) && !scenario.calendar().isEmpty();
    Scenario next = removes ? withoutCalendar() : scenario;
    return deploys ? withApp(next, !removes && !scenario.calendar().isEmpty()) : next;
  }

  // ---- the calendar

  /**
   * Deletes the calendar after all documents have stopped excluding it. An earlier attempt, while
   * the calendar is in use, is possible. Some documents exclude it again later, when it may have
   * been created again.
   */
  private Scenario withoutCalendar() {
    long unused = boundaryOrAny(scenario.start() + 20 * SECOND);
    boolean returns = random.oneIn(2);
    List<List<UserAction>> scripts =
        scenario.scripts().stream().map(script -> released(script, unused, returns)).toList();
    List<CalendarChange> changes = new ArrayList<>(scenario.calendar());
    if (random.oneIn(2)) {
      changes.add(CalendarChange.deletion(boundaryOrAny(scenario.start())));
    }
    long at = unused;
    for (int i = random.of(1, 2, 3); i > 0; i--) {
      at += random.between(0, 12 * SECOND);
      changes.add(CalendarChange.deletion(at));
    }
    if (returns) {
      at += random.between(0, 20 * SECOND);
      long from = at / SECOND * SECOND + random.between(-60, 60) * SECOND;
      TimeRange closed = new TimeRange(from, from + random.between(5, 90) * SECOND);
      changes.add(new CalendarChange(at, List.of(closed)));
    }
    return scenario.with(scripts, changes);
  }

  private List<UserAction> released(List<UserAction> script, long at, boolean returns) {
    UserAction last = lastPut(script);
    ScheduleSpec spec = last == null ? null : last.spec();
    if (last == null || spec == null || !spec.namesCalendar()) {
      return script;
    }
    List<UserAction> longer = new ArrayList<>(script);
    ScheduleSpec free = spec.withVersion(++versions, false);
    longer.add(
        random.oneIn(4)
            ? new UserAction(last.schedule(), Kind.DELETE, at, null)
            : new UserAction(last.schedule(), Kind.PUT, at, free));
    if (returns && random.oneIn(2)) {
      long again = at + random.between(0, 40 * SECOND);
      ScheduleSpec excluding = spec.withVersion(++versions, true);
      longer.add(new UserAction(last.schedule(), Kind.PUT, again, excluding));
    }
    return longer;
  }

  private static @Nullable UserAction lastPut(List<UserAction> script) {
    UserAction last = null;
    for (UserAction action : script) {
      last = action.kind() == Kind.PUT ? action : last;
    }
    return last;
  }

  // ---- the app

  private Scenario withApp(Scenario base, boolean excludes) {
    boolean isContended = random.oneIn(3);
    long first = base.start() + random.between(0, 40 * SECOND);
    long second = boundaryOrAny(first + 5 * SECOND);
    SortedMap<String, ScheduleSpec> documents = new TreeMap<>();
    documents.put("a0", spec(excludes));
    if (random.oneIn(2)) {
      documents.put("a1", spec(excludes));
    }
    List<Deployment> script = new ArrayList<>();
    script.add(new Deployment(first, Action.DEPLOY, documents));
    if (random.oneIn(4)) {
      long between = first + random.between(0, second - first);
      script.add(new Deployment(between, Action.FAULTY, changed(documents, isContended, excludes)));
    }
    SortedMap<String, ScheduleSpec> redeployed = changed(documents, isContended, excludes);
    script.add(new Deployment(second, Action.DEPLOY, redeployed));
    List<List<Deployment>> scripts = new ArrayList<>(List.of(script));
    if (isContended) {
      SortedMap<String, ScheduleSpec> others = new TreeMap<>();
      others.put("a3", spec(excludes));
      if (random.oneIn(2)) {
        others.put("a0", spec(excludes));
      }
      long at = Math.max(first, second + random.between(-SECOND, SECOND));
      scripts.add(List.of(new Deployment(at, Action.DEPLOY, others, null, true)));
    } else {
      suspend(script, redeployed);
      addLater(script, redeployed, excludes);
    }
    Scenario deploying = base.deploying(scripts);
    return random.oneIn(3)
        ? deploying.with(
            List.of(
                List.of(new UserAction("a0", Kind.LAUNCH, boundaryOrAny(first + SECOND), null))))
        : deploying;
  }

  /**
   * Suspends one schedule of the app before the app is deployed again; in most scenarios it is
   * resumed afterwards.
   */
  private void suspend(List<Deployment> script, SortedMap<String, ScheduleSpec> redeployed) {
    Deployment first = script.get(0);
    Deployment last = script.get(script.size() - 1);
    if (!random.oneIn(3)) {
      return;
    }
    Map<String, ScheduleSpec> one = Map.of("a0", first.documents().get("a0"));
    long at = last.at() - random.between(0, Math.min(40 * SECOND, last.at() - first.at()));
    Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
    script.add(1, new Deployment(at, Action.SUSPEND, one, mode, false));
    if (redeployed.containsKey("a0") && !random.oneIn(5)) {
      long later = last.at() + random.between(0, 40 * SECOND);
      script.add(new Deployment(later, Action.RESUME, one));
    }
  }

  /** Deletes a program of the app, or the app, and possibly deploys it again. */
  private void addLater(
      List<Deployment> script, SortedMap<String, ScheduleSpec> documents, boolean excludes) {
    long at = boundaryOrAny(script.get(script.size() - 1).at());
    boolean ofOwn = scenario.limit() == 0;
    String name = random.of(List.copyOf(documents.keySet()));
    SortedMap<String, ScheduleSpec> rest = new TreeMap<>(documents);
    switch (random.below(6)) {
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
          SortedMap<String, ScheduleSpec> ignored = new TreeMap<>();
          rest.keySet().forEach(kept -> ignored.put(kept, spec(excludes)));
          script.add(new Deployment(at, Action.PRUNE, ignored));
        }
      }
      default -> {
        return;
      }
    }
    if (random.oneIn(2)) {
      long again = at + random.between(0, HALF_MINUTE);
      if (rest.isEmpty()) {
        rest.put("a0", spec(excludes));
      }
      script.add(new Deployment(again, Action.DEPLOY, changed(rest, false, excludes)));
    }
  }

  /**
   * Another version of the app: each schedule is changed, dropped or left unchanged, and one may be
   * new.
   *
   * @param all whether every schedule changes
   */
  private SortedMap<String, ScheduleSpec> changed(
      SortedMap<String, ScheduleSpec> documents, boolean all, boolean excludes) {
    SortedMap<String, ScheduleSpec> changed = new TreeMap<>();
    documents.forEach(
        (name, spec) -> {
          switch (random.below(4)) {
            case 0 -> {
              // The schedule is dropped.
            }
            case 1 -> changed.put(name, all ? spec(excludes) : spec);
            default -> changed.put(name, spec(excludes));
          }
        });
    if (changed.isEmpty() || random.oneIn(2)) {
      changed.put("a2", spec(excludes));
    }
    return changed;
  }

  private ScheduleSpec spec(boolean excludes) {
    List<Leaf> leaves =
        switch (random.below(6)) {
          case 0 -> List.of(new Cron("0/30 * * * * ?"));
          case 1 -> List.of(new Rate(random.between(30, 90) * SECOND, scenario.start()));
          case 2 -> List.of(partitions());
          case 3 -> List.of(minutely(), partitions());
          default -> List.of(minutely());
        };
    Join join = random.of(Join.ANY, Join.ALL);
    ScheduleSpec spec =
        new ScheduleSpec(++versions, leaves.size() == 1 ? Join.ANY : join, leaves, false);
    ScheduleSpec limited = spec.withLimit(scenario.limit());
    return excludes && random.oneIn(3) ? limited.excludingCalendar() : limited;
  }

  private Leaf minutely() {
    return new Cron(random.of(0, 0, 30, random.below(60)) + " * * * * ?");
  }

  private Leaf partitions() {
    return new Partitions(random.of("d", "e"), random.between(1, 3));
  }

  /** Any instant, or an instant near a full half minute, when fires are due. */
  private long boundaryOrAny(long after) {
    long any = after + random.between(0, Math.max(SECOND, scenario.faultsTo() - after));
    return random.oneIn(2)
        ? any
        : Math.max(after, any / HALF_MINUTE * HALF_MINUTE + random.between(-1_500, 1_500));
  }
}
