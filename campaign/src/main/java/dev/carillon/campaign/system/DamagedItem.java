package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.app.App;
import dev.carillon.backfill.Backfill;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.judge.Damage;
import dev.carillon.campaign.judge.Damage.Lost;
import dev.carillon.campaign.judge.Damage.Owner;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.scenario.DamagePlan;
import dev.carillon.campaign.scenario.DamagePlan.Item;
import dev.carillon.campaign.scenario.Deployment;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.gate.Gate;
import dev.carillon.id.AppId;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.master.ShardPlan;
import dev.carillon.master.StatusStore.Status;
import dev.carillon.pool.PoolActivity;
import dev.carillon.pool.PoolState;
import dev.carillon.pool.StoredPool;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.timer.Timer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An item that cannot be read for a while. The damage ends when the item is readable again, or when
 * something else is stored in its place.
 */
public final class DamagedItem {

  /** An item that does not exist yet is read again after this many milliseconds. */
  private static final long READ_AGAIN = 25;

  private static final PoolId POOL = new PoolId("default", Scenario.POOL);
  static final AppId APP = new AppId("default", Deployment.APP);
  static final String SHARDS = "shards";
  static final String PROGRESS = "progress";
  static final String AUDIT = "audit";

  private final DamagePlan plan;
  private final Link link;
  private final Contents contents;
  private final String program;
  private final Set<String> concerned;
  private final Runnable onForgetting;
  private @Nullable Object key;
  private Supplier<@Nullable Object> current = () -> null;
  private @Nullable Object damaged;
  private boolean isMet;
  private Lost lost = Lost.NOTHING;

  /** How many changes by callers are under way. */
  private int callers;

  private long from;
  private long to = History.NEVER;

  /** Reads what is stored, without faults. */
  public interface Contents {
    @Nullable Head head(ScheduleId id);

    @Nullable Definition definition(ScheduleId id);

    /** The unfinished jobs of a schedule; all its jobs if none is unfinished. */
    List<Job> jobs(ScheduleId id);

    @Nullable Job job(JobId id);

    @Nullable CollectingJob collectingJob(ScheduleId id);

    /** The running backfills of a schedule. */
    List<Backfill> backfills(ScheduleId id);

    @Nullable Backfill backfill(BackfillId id);

    List<Timer> timers(ScheduleId id);

    @Nullable StoredCalendar calendar();

    List<Gate> allGates();

    @Nullable Gate gate(GateKey key);

    @Nullable StoredPool pool();

    @Nullable PoolState poolState();

    /** The activity of a pool; null if nothing has happened in the pool. */
    @Nullable PoolActivity poolActivity();

    @Nullable ShardPlan shards();

    @Nullable App app(AppId id);

    /** The master's progress and audit. */
    @Nullable Status masterStatus();

    /** Changes how many schedules have a limit of a newer, unknown kind at a gate. */
    void demand(GateKey key, long change);
  }

  /**
   * @param program the program of the schedule to which the item belongs
   * @param concerned the names of the schedules that need the item
   * @param onForgetting runs after a caller has replaced a gate
   */
  public DamagedItem(
      DamagePlan plan,
      Link link,
      Contents contents,
      String program,
      Set<String> concerned,
      Runnable onForgetting) {
    this.program = program;
    this.onForgetting = onForgetting;
    this.plan = plan;
    this.link = link;
    this.contents = contents;
    this.concerned = concerned;
  }

  Contents contents() {
    return contents;
  }

  // ---- the time of the damage

  /** Makes the item unreadable, and readable again, at the planned instants. */
  public void begin() {
    link.simulator().at(plan.from(), this::damage);
    link.simulator().at(plan.to(), this::repair);
  }

  /** Waits for the item if it does not exist yet. */
  private void damage() {
    ScheduleId id = new ScheduleId("default", plan.schedule());
    switch (plan.item()) {
      case HEAD -> damage(id, () -> contents.head(id));
      case DEFINITION -> damage(id, () -> contents.definition(id));
      case JOB ->
          one(contents.jobs(id)).ifPresent(it -> damage(it.id(), () -> contents.job(it.id())));
      case COLLECTING_JOB, SEEN_IDS -> damage(id, () -> contents.collectingJob(id));
      case POOL -> damage(POOL, contents::pool);
      case POOL_STATE -> damage(POOL, contents::poolState);
      case POOL_ACTIVITY -> damage(POOL, contents::poolActivity);
      case SHARDS -> damage(SHARDS, contents::shards);
      case APP -> damage(APP, () -> contents.app(APP));
      case PROGRESS -> damage(PROGRESS, () -> ofStatus(Status::lastProcessedTime));
      case AUDIT -> damage(AUDIT, () -> ofStatus(Status::audit));
      case BACKFILL ->
          one(contents.backfills(id))
              .ifPresent(it -> damage(it.id(), () -> contents.backfill(it.id())));
      case TIMER -> one(contents.timers(id)).ifPresent(it -> damage(it.key(), () -> it));
      case CALENDAR ->
          Optional.ofNullable(contents.calendar())
              .ifPresent(it -> damage(it.id(), contents::calendar));
      case GATE -> one(gates()).ifPresent(it -> damage(it.key(), () -> contents.gate(it.key())));
      case LIMIT -> {
        GateKey gate = GateKey.ofProgram("default", program);
        contents.demand(gate, 1);
        damage(gate, () -> gate);
      }
    }
    long next = link.simulator().now() + READ_AGAIN;
    if (key == null && next < plan.to()) {
      link.simulator().at(next, this::damage);
    }
  }

  private @Nullable Object ofStatus(Function<Status, @Nullable Object> part) {
    Status status = contents.masterStatus();
    return status == null ? null : part.apply(status);
  }

  /**
   * The gates that can become unreadable: a PUT of the schedule must replace a gate of its program.
   */
  private List<Gate> gates() {
    GateKey ofProgram = GateKey.ofProgram("default", program);
    return contents.allGates().stream()
        .filter(gate -> !plan.isReplaced() || gate.key().equals(ofProgram))
        .toList();
  }

  private <T> Optional<T> one(List<T> all) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get((int) Math.floorMod(plan.pick(), (long) all.size())));
  }

  private void damage(Object of, Supplier<@Nullable Object> stored) {
    Object item = stored.get();
    if (item != null) {
      key = of;
      current = stored;
      damaged = item;
      from = link.simulator().now();
      trace("cannot be read");
    }
  }

  private void trace(String what) {
    link.trace()
        .add(link.simulator().now(), () -> "damage: " + plan.item() + " " + key + " " + what);
  }

  private void repair() {
    if (!plan.isReplaced() && isStill()) {
      damaged = null;
      if (plan.item() == Item.LIMIT && key instanceof GateKey gate) {
        contents.demand(gate, -1);
      }
      to = link.simulator().now();
      trace("can be read");
    }
  }

  /**
   * Whether the damaged item is still stored. Compares by identity, because anything that is stored
   * later is another object.
   */
  @SuppressWarnings("ReferenceEquality")
  private boolean isStill() {
    return damaged != null && current.get() == damaged;
  }

  /** Makes the change of a caller, which can store something else in the place of the item. */
  boolean replace(Supplier<Boolean> change) {
    callers++;
    try {
      return change.get();
    } finally {
      callers--;
    }
  }

  /** Records whether something else is stored in the place of the item now. */
  public void check() {
    if (damaged == null || isStill() || to != History.NEVER) {
      return;
    }
    to = link.simulator().now();
    trace("was replaced");
    if (callers > 0) {
      link.faults().count(FaultKind.UNREADABLE_REPLACED);
      lost = lost(plan.item());
    }
    if (lost == Lost.LAUNCHES) {
      onForgetting.run();
    }
  }

  private static Lost lost(Item replaced) {
    return switch (replaced) {
      case HEAD, DEFINITION -> Lost.LIFE;
      case GATE -> Lost.LAUNCHES;
      case CALENDAR -> Lost.FORMER_CALENDAR;
      case COLLECTING_JOB, SEEN_IDS -> Lost.COUNTS;
      case POOL_STATE, POOL_ACTIVITY -> Lost.MOVES;
      default -> Lost.NOTHING;
    };
  }

  // ---- what the damage concerns

  /** The damage so far; empty if the item did not exist. */
  public List<Damage> damages() {
    String job = plan.item() == Item.JOB ? String.valueOf(key) : null;
    return key == null
        ? List.of()
        : List.of(new Damage(plan.schedule(), concerned, job, owner(plan.item()), lost, from, to));
  }

  private static Owner owner(Item item) {
    if (item.isOfMaster()) {
      return Owner.MASTER;
    }
    return item == Item.APP ? Owner.APP : item.isOfPool() ? Owner.POOL : Owner.SCHEDULES;
  }

  /** Whether a gate cannot be read now. Unlike a function, the caller does not read it. */
  public boolean isGate(GateKey gate) {
    return isNow(Item.GATE, gate);
  }

  private boolean isNow(Item item, Object of) {
    return plan.item() == item && of.equals(key) && isStill();
  }

  /** Whether an item that a function reads cannot be read now. */
  boolean is(Item item, @Nullable Object of) {
    boolean isUnreadable = of != null && isNow(item, of);
    if (isUnreadable && !isMet) {
      isMet = true;
      link.faults().count(item.fault());
    }
    return isUnreadable;
  }

  /** The keys, among those given, whose items cannot be read now. */
  <T> Set<T> among(Item item, Collection<T> keys) {
    Set<T> found = new HashSet<>();
    keys.stream().filter(each -> is(item, each)).forEach(found::add);
    return found;
  }

  /**
   * Whether a request can fail because of the damage. A PUT or DELETE replaces whatever is stored,
   * and needs no other item. But it can fail if its schedule excludes an unreadable calendar.
   */
  public boolean mayFail(APIGatewayProxyRequestEvent request) {
    boolean hasEnded =
        to != History.NEVER && to < link.simulator().now() - FunctionName.API.timeout;
    Map<String, String> path = request.getPathParameters();
    if (key == null || hasEnded || path == null) {
      return false;
    }
    if (plan.item().isOfPool() && path.containsKey("pool")) {
      boolean isChange = request.getHttpMethod().matches("PUT|DELETE");
      return !isChange;
    }
    boolean isOfSchedule = concerned.contains(schedule(path));
    if (plan.item() == Item.CALENDAR) {
      return isOfSchedule || path.containsKey("app");
    }
    boolean replaces =
        request.getResource().endsWith("{name}") && !request.getHttpMethod().equals("POST");
    return isOfSchedule && !replaces;
  }

  /** The schedule that a request names, or whose job it names; null for none. */
  private static @Nullable String schedule(Map<String, String> path) {
    String job = path.get("id");
    return job != null && !path.containsKey("name")
        ? JobId.parse(job).schedule().name()
        : path.get("name");
  }
}
