package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.Condition.Reported;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.ScheduleSpec.Whole;
import dev.carillon.campaign.judge.Tracking;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Adds tracked schedules to 30 % of the scenarios without an outage, and to 15 % of the scenarios
 * with an outage. Another schedule counts the starts and ends of their runs, and callers cancel and
 * retry jobs. It has random numbers of its own, so it does not change the other episodes.
 */
public final class WorkerScenarios {

  /** The data set of the events that tracked schedules wait for. */
  public static final String DATASET = "w";

  /** The program of all tracked schedules. */
  public static final String PROGRAM = "tracked";

  /** The schedule that counts the starts and ends of their runs. */
  public static final String WATCHER = "y1";

  private static final List<String> STATUSES =
      List.of("STARTED", "SUCCEEDED", "FAILED", "CANCELLED");

  /** Distinguishes the random numbers of workers from others. */
  private static final long WORKERS = 0x77_6f72_6b65_7273L;

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int HOUR = 60 * MINUTE;
  private static final int QUIET = 16 * MINUTE;

  /**
   * New jobs can begin for this long after the last fault. The rest of the episode is long enough
   * for the longest job to end.
   */
  private static final int JOBS_FOR = 4 * MINUTE;

  private static final int FIRST_VERSION = 30_000;

  private final SeededRandom random;

  /**
   * Draws the values of later additions to this class, so that {@code random} still draws the same
   * values for each seed.
   */
  private final SeededRandom further;

  private int versions = FIRST_VERSION;

  public WorkerScenarios(long seed) {
    this.random = new SeededRandom(seed ^ WORKERS);
    this.further = new SeededRandom(~seed ^ WORKERS);
  }

  public Scenario addTo(Scenario scenario) {
    boolean isOutage = scenario.outage() != null;
    if (random.below(10) >= 3 || (isOutage && !further.oneIn(2))) {
      return scenario;
    }
    List<List<UserAction>> scripts = new ArrayList<>();
    scripts.add(List.of(watcher(++versions, scenario.start())));
    Tracking tracking = tracking();
    int max = random.of(0, 0, 0, 1, 2);
    for (int i = random.of(1, 1, 2); i > 0; i--) {
      addSchedule("w" + i, scenario, tracking, max, scripts);
    }
    long seed = random.any();
    List<JobRequest> asked = requests(scenario);
    WorkerPlan plan = new WorkerPlan(seed, List.of(), asked, true, further.oneIn(3));
    return scenario.withEvents(scripts, events(scenario)).lasting(QUIET).with(plan);
  }

  /** Stores the schedule that counts the starts and ends of runs. */
  public static UserAction watcher(int version, long at) {
    Whole whole = new Whole(new Reported(PROGRAM, STATUSES, 1));
    ScheduleSpec spec = new ScheduleSpec(version, Join.ANY, List.of(whole), false);
    return new UserAction(WATCHER, Kind.PUT, at, spec);
  }

  private Tracking tracking() {
    long backoff = random.between(1, 10) * SECOND;
    return new Tracking(
        random.between(5, 40) * SECOND,
        random.between(3, 20) * SECOND,
        random.between(3, 15) * SECOND,
        random.between(10, 60) * SECOND,
        random.of(1, 2, 2, 3, 4),
        backoff,
        random.of(1, 2, 2, 3),
        backoff + random.between(0, 10) * SECOND,
        further.of(0, 0, 1, 2, 3));
  }

  private void addSchedule(
      String name, Scenario scenario, Tracking tracking, int max, List<List<UserAction>> scripts) {
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 5 * SECOND);
    life.add(put(name, at, scenario, tracking, max));
    if (random.oneIn(3)) {
      change(life, any(at, scenario.faultsTo()), scenario, tracking, max);
    }
    scripts.add(life);
    List<UserAction> launches = new ArrayList<>();
    for (int i = random.of(0, 0, 1, 2); i > 0; i--) {
      long when = any(scenario.start() + 5 * SECOND, scenario.faultsTo());
      launches.add(new UserAction(name, Kind.LAUNCH, when, null));
    }
    launches.sort(Comparator.comparingLong(UserAction::at));
    if (!launches.isEmpty()) {
      scripts.add(launches);
    }
    addBackfill(life.get(0), scenario, scripts);
  }

  /** A backfill of the fires of the last hour, which is cancelled in one of three cases. */
  private void addBackfill(UserAction put, Scenario scenario, List<List<UserAction>> scripts) {
    ScheduleSpec spec = put.spec();
    if (spec == null || !spec.isPlain() || !further.oneIn(3)) {
      return;
    }
    long at = put.at() + further.between(SECOND, scenario.faultsTo() - scenario.start());
    BackfillRange range = new BackfillRange(at - HOUR, at - further.between(5, 60) * SECOND);
    UserAction backfill = UserAction.backfill(put.schedule(), at, range);
    List<UserAction> script = new ArrayList<>(List.of(backfill));
    if (further.oneIn(3)) {
      script.add(UserAction.cancel(backfill, at + further.between(0, 40 * SECOND)));
    }
    scripts.add(script);
  }

  private void change(
      List<UserAction> life, long at, Scenario scenario, Tracking tracking, int max) {
    String name = life.get(0).schedule();
    long later = at + random.between(0, 40 * SECOND);
    switch (random.below(4)) {
      case 0 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        if (random.oneIn(2)) {
          life.add(put(name, later, scenario, tracking, max));
        }
      }
      case 1 -> life.add(put(name, at, scenario, tracking, max));
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
  }

  private UserAction put(String name, long at, Scenario scenario, Tracking tracking, int max) {
    Leaf leaf =
        random.oneIn(3)
            ? new Cron(random.below(60) + " " + minutes(scenario) + " * * * ?")
            : new Partitions(DATASET, 1);
    List<Limit> limits = max == 0 ? List.of() : List.of(new RunLimit(max, "", false));
    ScheduleSpec spec =
        new ScheduleSpec(++versions, Join.ANY, List.of(leaf), false)
            .limitedBy(new Limits(PROGRAM, Ends.NONE, limits))
            .trackedBy(tracking);
    boolean excludes = spec.isPlain() && !scenario.calendar().isEmpty() && further.oneIn(2);
    ScheduleSpec document = excludes ? spec.excludingCalendar() : spec;
    boolean isFifo = further.oneIn(4);
    ScheduleSpec sent = isFifo ? document.toFifo(ConstraintScenarios.fifo(further)) : document;
    return new UserAction(name, Kind.PUT, at, sent);
  }

  /** Two minutes of the hour. A job that begins in the later one can still end in the episode. */
  private String minutes(Scenario scenario) {
    long first = scenario.start() / MINUTE + 1;
    long last = (scenario.faultsTo() + JOBS_FOR) / MINUTE - 1;
    long one = random.between(first, first + 1);
    long other = random.between(first + 2, last);
    return one % 60 + "," + other % 60;
  }

  private List<ProducedEvent> events(Scenario scenario) {
    List<ProducedEvent> events = new ArrayList<>();
    for (int i = random.of(2, 3, 4, 6); i > 0; i--) {
      long until = scenario.faultsTo() + (random.oneIn(3) ? JOBS_FOR : 0);
      long at = any(scenario.start() + 8 * SECOND, until);
      Channel channel = random.of(Channel.MESSAGE, Channel.MESSAGE, Channel.API);
      events.add(new ProducedEvent(at, DATASET, 1, channel));
    }
    return events;
  }

  private List<JobRequest> requests(Scenario scenario) {
    List<JobRequest> requests = new ArrayList<>();
    for (int i = random.of(0, 0, 1, 2, 3); i > 0; i--) {
      long at = any(scenario.start() + 15 * SECOND, scenario.faultsTo() + MINUTE);
      RunCall.Kind kind = random.of(RunCall.Kind.CANCEL, RunCall.Kind.RETRY);
      requests.add(new JobRequest(at, kind, random.below(100)));
    }
    requests.sort(Comparator.comparingLong(JobRequest::at));
    return requests;
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
