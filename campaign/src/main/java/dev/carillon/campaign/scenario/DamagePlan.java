package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plan of an item that becomes unreadable for a while, as if it were damaged or stored by a
 * newer version.
 *
 * @param schedule the schedule to which the item belongs; any of them if several share it
 * @param pick chooses one of several items
 * @param from the earliest instant at which the item becomes unreadable
 * @param to when it can be read again, or when a caller replaces it
 * @param isReplaced whether a caller replaces it; otherwise it becomes readable again, unchanged
 */
public record DamagePlan(
    Item item, String schedule, long pick, long from, long to, boolean isReplaced) {

  private static final int SECOND = 1_000;

  /**
   * The first version number of documents that replace unreadable ones; all other versions are
   * smaller.
   */
  private static final int REPLACEMENTS = 100_000;

  /**
   * The items to choose from. Heads occur more often because most steps need them, and backfills
   * and calendars because few scenarios have them.
   */
  private static final List<Item> ITEMS =
      List.of(
          Item.HEAD,
          Item.HEAD,
          Item.HEAD,
          Item.HEAD,
          Item.HEAD,
          Item.DEFINITION,
          Item.DEFINITION,
          Item.JOB,
          Item.JOB,
          Item.COLLECTING_JOB,
          Item.COLLECTING_JOB,
          Item.BACKFILL,
          Item.BACKFILL,
          Item.BACKFILL,
          Item.TIMER,
          Item.TIMER,
          Item.CALENDAR,
          Item.CALENDAR,
          Item.CALENDAR,
          Item.GATE,
          Item.GATE,
          Item.LIMIT,
          Item.LIMIT);

  private static final List<Item> OF_POOLS =
      List.of(
          Item.POOL,
          Item.POOL,
          Item.POOL,
          Item.POOL_STATE,
          Item.POOL_STATE,
          Item.POOL_ACTIVITY,
          Item.POOL_ACTIVITY);

  /** The kinds of items that become unreadable. */
  public enum Item {
    HEAD(FaultKind.UNREADABLE_HEAD),
    DEFINITION(FaultKind.UNREADABLE_DEFINITION),
    JOB(FaultKind.UNREADABLE_JOB),
    COLLECTING_JOB(FaultKind.UNREADABLE_COLLECTING_JOB),
    BACKFILL(FaultKind.UNREADABLE_BACKFILL),
    TIMER(FaultKind.UNREADABLE_TIMER),
    CALENDAR(FaultKind.UNREADABLE_CALENDAR),
    GATE(FaultKind.UNREADABLE_GATE),
    /** One of the limits that schedules set for the program. */
    LIMIT(FaultKind.UNREADABLE_LIMIT),
    POOL(FaultKind.UNREADABLE_POOL),
    POOL_STATE(FaultKind.UNREADABLE_POOL_STATE),
    POOL_ACTIVITY(FaultKind.UNREADABLE_POOL_ACTIVITY),
    /** The ids of events that a collecting job has counted. */
    SEEN_IDS(FaultKind.UNREADABLE_SEEN_IDS),
    /** The shards that the master reads. */
    SHARDS(FaultKind.UNREADABLE_SHARDS),
    APP(FaultKind.UNREADABLE_APP),
    /** The instant up to which the master has expanded timers. */
    PROGRESS(FaultKind.UNREADABLE_PROGRESS),
    /** The progress of the daily audit. */
    AUDIT(FaultKind.UNREADABLE_AUDIT);

    private final FaultKind fault;

    Item(FaultKind fault) {
      this.fault = fault;
    }

    /** Whether the item belongs to a pool, and so concerns all schedules whose jobs wait there. */
    public boolean isOfPool() {
      return this == POOL || this == POOL_STATE || this == POOL_ACTIVITY;
    }

    /** Whether the master alone needs it. */
    public boolean isOfMaster() {
      return this == SHARDS || this == PROGRESS || this == AUDIT;
    }

    /** The fault that a function meets when it reads such an item. */
    public FaultKind fault() {
      return fault;
    }
  }

  /**
   * A scenario and its damage.
   *
   * @param plan null for no damage
   */
  public record Damaged(Scenario scenario, @Nullable DamagePlan plan) {}

  /** Adds damage to one in four scenarios without an outage; the others stay as they are. */
  public static Damaged in(Scenario scenario, SeededRandom random) {
    if (!random.oneIn(4) || scenario.outage() != null) {
      return new Damaged(scenario, null);
    }
    List<Item> items = ITEMS.stream().filter(item -> !makers(scenario, item).isEmpty()).toList();
    if (items.isEmpty()) {
      return new Damaged(scenario, null);
    }
    Item item = random.of(items);
    UserAction maker = random.of(makers(scenario, item));
    // A backfill ends soon, and a timer is read only once in some minutes.
    boolean isEarly = item == Item.BACKFILL || item == Item.TIMER;
    long last = isEarly ? 0 : scenario.faultsTo() - 20 * SECOND;
    long from = random.between(maker.at(), Math.max(maker.at() + SECOND, last));
    long seconds = item == Item.TIMER ? 300 : random.between(5, random.of(30, 150));
    long to = Math.min(scenario.faultsTo(), from + seconds * SECOND);
    boolean isReplaced = isOfDocument(item) && random.oneIn(3);
    DamagePlan plan = new DamagePlan(item, maker.schedule(), random.any(), from, to, isReplaced);
    Scenario stored = isOfDocument(item) ? plan.storingLabels(scenario) : scenario;
    Scenario replacing = isReplaced ? plan.replacing(stored, random) : stored;
    return replacing.scripts().equals(stored.scripts())
        ? new Damaged(stored, plan.passing())
        : new Damaged(replacing, plan);
  }

  /**
   * Adds damage of the later kinds to one in four scenarios that have neither other damage nor an
   * outage. A caller replaces half of the items of pools; the other items are replaced by callers
   * of the scenario, if at all.
   */
  public static Damaged later(Scenario scenario, SeededRandom random) {
    if (!random.oneIn(4) || scenario.outage() != null) {
      return new Damaged(scenario, null);
    }
    List<String> pooled = schedules(scenario, DamagePlan::isPooled);
    List<String> collecting =
        schedules(scenario, it -> it.spec() != null && !isPooled(it) && !it.spec().isPlain());
    List<Item> items = new ArrayList<>(List.of(Item.SHARDS));
    items.addAll(pooled.isEmpty() ? List.of() : OF_POOLS);
    items.addAll(collecting.isEmpty() ? List.of() : List.of(Item.SEEN_IDS, Item.SEEN_IDS));
    Item item = random.of(items);
    String schedule = item == Item.SHARDS ? "" : random.of(item.isOfPool() ? pooled : collecting);
    long last = Math.max(scenario.start() + SECOND, scenario.faultsTo() - 20 * SECOND);
    long from = random.between(scenario.start(), last);
    long seconds = random.between(5, random.of(30, 150));
    long to = Math.min(scenario.faultsTo(), from + seconds * SECOND);
    boolean isReplaced = item.isOfPool() && random.oneIn(2);
    DamagePlan plan = new DamagePlan(item, schedule, random.any(), from, to, isReplaced);
    return new Damaged(
        isReplaced ? scenario.pooling(plan.replacing(scenario.pool())) : scenario, plan);
  }

  /** The changes of the pool, with one more that stores its definition again. */
  private List<PoolChange> replacing(List<PoolChange> changes) {
    List<PoolChange> all = new ArrayList<>(changes);
    int next = 1;
    while (next < all.size() && all.get(next).at() <= to) {
      next++;
    }
    all.add(next, new PoolChange(to, all.get(next - 1).definition()));
    return all;
  }

  /**
   * If there is a calendar at that time, the scenario in which a caller stores the calendar once
   * more.
   */
  Scenario storingCalendar(Scenario scenario) {
    List<CalendarChange> all = new ArrayList<>(scenario.calendar());
    int next = 1;
    while (next < all.size() && all.get(next).at() <= to) {
      next++;
    }
    CalendarChange last = all.get(next - 1);
    if (last.timeRanges() == null) {
      return scenario;
    }
    all.add(next, new CalendarChange(to, last.timeRanges()));
    return scenario.with(scenario.scripts(), all);
  }

  private static List<String> schedules(Scenario scenario, Predicate<UserAction> filter) {
    return actions(scenario)
        .filter(action -> action.kind() == Kind.PUT)
        .filter(filter)
        .map(UserAction::schedule)
        .distinct()
        .toList();
  }

  private static boolean isPooled(UserAction action) {
    return PooledCustomers.isPooled(action.schedule());
  }

  private static boolean isOfDocument(Item item) {
    return item == Item.HEAD || item == Item.DEFINITION;
  }

  /** The actions after which an item can exist. */
  static List<UserAction> makers(Scenario scenario, Item item) {
    return actions(scenario)
        .filter(action -> action.at() < scenario.faultsTo() - 5 * SECOND)
        .filter(action -> makes(scenario, action, item))
        .toList();
  }

  private static Stream<UserAction> actions(Scenario scenario) {
    return scenario.scripts().stream().flatMap(List::stream);
  }

  private static boolean makes(Scenario scenario, UserAction action, Item item) {
    if (item == Item.BACKFILL) {
      return action.kind() == Kind.BACKFILL;
    }
    ScheduleSpec spec = action.spec();
    if (action.kind() != Kind.PUT || spec == null) {
      return false;
    }
    return switch (item) {
      case COLLECTING_JOB -> !spec.isPlain();
      case TIMER -> spec.hasTimes() && action.at() < scenario.start() + 30 * SECOND;
      case CALENDAR -> !scenario.calendar().isEmpty() && spec.namesCalendar();
      case GATE -> scenario.limit() > 0 || !scenario.reports().isEmpty() || isLimited(action);
      default -> true;
    };
  }

  static boolean isLimited(UserAction action) {
    return action.spec() != null && !action.spec().limits().all().isEmpty();
  }

  /**
   * The names of the schedules that need the item. These are the schedule to which the item
   * belongs, the schedules that share it, and the schedules whose jobs can wait for jobs of these.
   */
  public Set<String> concerned(Scenario scenario) {
    if (item == Item.APP || item.isOfMaster()) {
      return Set.of();
    }
    boolean isShared = item == Item.GATE || scenario.limit() > 0;
    boolean isLimited =
        actions(scenario).anyMatch(it -> it.schedule().equals(schedule) && isLimited(it));
    Set<String> concerned = new HashSet<>(Set.of(schedule));
    String program = program(scenario);
    actions(scenario)
        .filter(
            it ->
                isShared
                    || (isLimited && isLimited(it))
                    || needsCalendar(it.spec())
                    || (item.isOfPool() && isPooled(it))
                    || (item == Item.LIMIT && isOf(program, it)))
        .map(UserAction::schedule)
        .forEach(concerned::add);
    scenario.deployments().stream()
        .flatMap(List::stream)
        .flatMap(deployment -> deployment.documents().entrySet().stream())
        .filter(document -> isShared || needsCalendar(document.getValue()))
        .forEach(document -> concerned.add(document.getKey()));
    return concerned;
  }

  /** The program that the schedule launches. */
  public String program(Scenario scenario) {
    return scenario.limit() > 0
        ? Scenario.LIMITED
        : actions(scenario)
            .filter(it -> it.schedule().equals(schedule) && it.spec() != null)
            .map(DamagePlan::program)
            .findFirst()
            .orElse(schedule);
  }

  private static String program(UserAction action) {
    ScheduleSpec spec = action.spec();
    return spec == null || spec.limits().program().isEmpty()
        ? action.schedule()
        : spec.limits().program();
  }

  private static boolean isOf(String program, UserAction action) {
    return action.spec() != null && program(action).equals(program);
  }

  private boolean needsCalendar(@Nullable ScheduleSpec spec) {
    return item == Item.CALENDAR && spec != null && spec.namesCalendar();
  }

  /** This damage, except that the item becomes readable again, unchanged. */
  DamagePlan passing() {
    return new DamagePlan(item, schedule, pick, from, to, false);
  }

  /**
   * The scenario in which the schedule's owner stores another document for each LABEL. A LABEL
   * without an answer may or may not have replaced the schedule.
   */
  Scenario storingLabels(Scenario scenario) {
    List<List<UserAction>> scripts = new ArrayList<>();
    int labels = 0;
    for (List<UserAction> script : scenario.scripts()) {
      List<UserAction> all = new ArrayList<>();
      for (UserAction action : script) {
        boolean isLabel = action.kind() == Kind.LABEL && action.schedule().equals(schedule);
        all.add(isLabel ? put(action.spec(), action.at(), ++labels) : action);
      }
      scripts.add(all);
    }
    return scenario.with(scripts, scenario.calendar());
  }

  private UserAction put(@Nullable ScheduleSpec spec, long at, int replacement) {
    if (spec == null) {
      throw new IllegalArgumentException("a document is needed");
    }
    int version = replacement * REPLACEMENTS + spec.version() % REPLACEMENTS;
    return new UserAction(schedule, Kind.PUT, at, spec.withVersion(version, spec.excludes()));
  }

  /**
   * The scenario in which the owner of the schedule changes nothing else until the schedule is
   * replaced. But the owner may suspend the schedule before, so that it holds jobs. Only a PUT
   * replaces a gate.
   */
  Scenario replacing(Scenario scenario, SeededRandom random) {
    List<List<UserAction>> scripts = new ArrayList<>();
    for (List<UserAction> script : scenario.scripts()) {
      boolean isOwner =
          script.stream().anyMatch(it -> it.kind() == Kind.PUT && it.schedule().equals(schedule));
      scripts.add(isOwner ? replacing(script, random) : script);
    }
    return scenario.with(scripts, scenario.calendar());
  }

  private List<UserAction> replacing(List<UserAction> script, SeededRandom random) {
    List<UserAction> all = new ArrayList<>();
    script.stream().filter(action -> action.at() < from - 15 * SECOND).forEach(all::add);
    ScheduleSpec last =
        all.stream()
            .filter(action -> action.kind() == Kind.PUT)
            .reduce((first, second) -> second)
            .map(UserAction::spec)
            .orElse(null);
    if (last == null) {
      return script;
    }
    boolean isPast = last.leaves().stream().anyMatch(At.class::isInstance);
    boolean isGate = item == Item.GATE;
    if (isGate && isPast) {
      return script;
    }
    if (random.oneIn(2)) {
      long before = from - 10 * SECOND;
      Mode mode = random.of(Mode.HOLD, Mode.BACKLOG);
      all.add(UserAction.suspend(schedule, before, mode, History.NEVER));
    }
    all.add(
        isPast || (random.oneIn(4) && !isGate)
            ? new UserAction(schedule, Kind.DELETE, to, null)
            : put(last, to, script.size() + 1));
    script.stream().filter(action -> action.at() > to).forEach(all::add);
    return all;
  }
}
