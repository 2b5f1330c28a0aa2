package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.Tracking;
import dev.carillon.campaign.judge.WaitPolicy;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds schedules with callbacks to 20 % of the scenarios without an outage. It has random numbers
 * of its own, so it does not change the other episodes.
 */
public final class CallbackScenarios {

  private static final String PREFIX = "callback";
  private static final String DATASET = "callbacks";

  /** Distinguishes the random numbers of callbacks from others. */
  private static final long CALLBACKS = 0x63_616c_6c62_6163L;

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int QUIET = 16 * MINUTE;
  private static final int FIRST_VERSION = 40_000;
  private static final Tracking TRACKING =
      new Tracking(20 * SECOND, 10 * SECOND, 8 * SECOND, 30 * SECOND, 2, 2 * SECOND, 2, 5 * SECOND);

  private final SeededRandom random;
  private int versions = FIRST_VERSION;

  public CallbackScenarios(long seed) {
    this.random = new SeededRandom(seed ^ CALLBACKS);
  }

  /** Whether the documents of a schedule want callbacks. */
  public static boolean wants(String schedule) {
    return schedule.startsWith(PREFIX);
  }

  public Scenario addTo(Scenario scenario) {
    if (random.below(10) >= 2 || scenario.outage() != null) {
      return scenario;
    }
    List<List<UserAction>> scripts = new ArrayList<>();
    addSchedule(PREFIX + "1", scenario, null, scripts);
    boolean isTracked = scenario.workers().equals(WorkerPlan.NONE) && random.oneIn(2);
    if (isTracked) {
      scripts.add(List.of(WorkerScenarios.watcher(++versions, scenario.start())));
      addSchedule(PREFIX + "2", scenario, TRACKING, scripts);
    }
    Scenario calling = scenario.withEvents(scripts, events(scenario)).lasting(QUIET);
    return isTracked
        ? calling.with(new WorkerPlan(random.any(), List.of(), requests(scenario), true))
        : calling;
  }

  private List<JobRequest> requests(Scenario scenario) {
    long at = any(scenario.start() + 15 * SECOND, scenario.faultsTo() + MINUTE);
    RunCall.Kind kind = random.of(RunCall.Kind.CANCEL, RunCall.Kind.RETRY);
    return random.oneIn(2) ? List.of(new JobRequest(at, kind, random.below(100))) : List.of();
  }

  private void addSchedule(
      String name, Scenario scenario, @Nullable Tracking tracking, List<List<UserAction>> scripts) {
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 5 * SECOND);
    life.add(put(name, at, scenario, tracking));
    if (random.oneIn(2)) {
      long changed = any(at + 10 * SECOND, scenario.faultsTo());
      if (random.oneIn(2)) {
        life.add(new UserAction(name, Kind.DELETE, changed, null));
      } else {
        life.add(put(name, changed, scenario, tracking));
      }
    }
    scripts.add(life);
  }

  private UserAction put(String name, long at, Scenario scenario, @Nullable Tracking tracking) {
    long first = scenario.start() / MINUTE + 1;
    Leaf leaf =
        random.oneIn(2)
            ? new Cron(random.below(60) + " " + first % 60 + "," + (first + 1) % 60 + " * * * ?")
            : new Partitions(DATASET, 1);
    ScheduleSpec spec = new ScheduleSpec(++versions, Join.ANY, List.of(leaf), false);
    ScheduleSpec waiting =
        tracking == null && random.oneIn(3)
            ? spec.withWaits(new WaitPolicy(20 * SECOND, 10 * SECOND, false, Pending.QUEUE))
            : spec;
    Limits program = new Limits(WorkerScenarios.PROGRAM, Ends.NONE, List.of());
    ScheduleSpec stored =
        tracking == null ? waiting : waiting.limitedBy(program).trackedBy(tracking);
    return new UserAction(name, Kind.PUT, at, stored);
  }

  private List<ProducedEvent> events(Scenario scenario) {
    List<ProducedEvent> events = new ArrayList<>();
    for (int i = random.of(1, 2, 3); i > 0; i--) {
      long at = any(scenario.start() + 8 * SECOND, scenario.faultsTo());
      events.add(new ProducedEvent(at, DATASET, 1, Channel.MESSAGE));
    }
    return events;
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
