package dev.carillon.campaign;

import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.DeploymentAttempt.Action;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.BackfillRange;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.TimeRange;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.PoolSpec;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.Tracking;
import dev.carillon.campaign.judge.WaitPolicy;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import dev.carillon.campaign.scenario.Deployment;
import dev.carillon.campaign.scenario.PullPlan;
import dev.carillon.campaign.scenario.PullPlan.Fate;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.Scenario.CalendarChange;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.Refusal;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import dev.carillon.campaign.scenario.WorkerPlan;
import dev.carillon.campaign.scenario.WorkerPlan.Behaviour;
import dev.carillon.campaign.scenario.WorkerPlan.JobRequest;
import dev.carillon.campaign.scenario.WorkerScenarios;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fixed scenarios of two and a half minutes, one for each user operation; an outage is added to
 * that time.
 */
final class FixedScenarios {

  static final String ENDS_BY_MESSAGES = "ends that are reported by messages";
  static final String REPORTED_BY_MESSAGES = "a tracked job that is reported by messages";
  static final String MESSAGES_OF_FORMER_CLAIMS = "messages of claims that have ended";
  static final String OPERATIONS_BY_MESSAGES = "operations that are reported by messages";
  static final String OPERATIONS_BY_REQUESTS = "operations that are reported by requests";

  private static final long START = Instant.parse("2026-03-01T10:00:03Z").toEpochMilli();
  private static final long FAULTS_FOR = 150_000;
  private static final long REPAIR = 180_000;

  /** The additional time that limited launches may take, one after another. */
  private static final long QUEUE = 420_000;

  private static final long OUTAGE_FOR = 1_200_000;

  /** With these random numbers the first worker takes so long that it sends heartbeats. */
  private static final long WORKER_SEED = 3;

  /** With these random numbers a failure and a success are messages. */
  private static final long ENDS_SEED = 10;

  /** With these random numbers heartbeats, a failure and a success are messages. */
  private static final long MESSAGES_SEED = 5;

  /** With these random numbers reports of claims that have ended are messages. */
  private static final long STALE_SEED = 49;

  /** With these random numbers messages report the states of operations. */
  private static final long OPERATIONS_SEED = 68;

  /** With these random numbers an attempt fails after its first operation. */
  private static final long FIRST_DONE_SEED = 3;

  private final List<List<UserAction>> scripts = new ArrayList<>();
  private final List<ProducedEvent> producedEvents = new ArrayList<>();
  private final List<Report> reports = new ArrayList<>();
  private final List<CalendarChange> calendar = new ArrayList<>();
  private final List<Deployment> deployments = new ArrayList<>();
  private int limit;
  private int operations;
  private boolean hasLongClaims;
  private @Nullable Refusal refusal;
  private @Nullable Outage outage;
  private final List<PoolChange> pool = new ArrayList<>();
  private WorkerPlan workers = WorkerPlan.NONE;

  private FixedScenarios() {}

  static Map<String, Scenario> all() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    Leaf minutely = cron("0 * * * * ?");
    all.put("plain fires", new FixedScenarios().put("a", minutely).scenario());
    all.put(
        "two schedules, one second",
        new FixedScenarios().put("a", minutely).put("b", cron("0 1,2 * * * ?")).scenario());
    all.put(
        "several fires at once", new FixedScenarios().put("a", cron("0/20 * * * * ?")).scenario());
    all.put("one-time", new FixedScenarios().put("a", new At(START + 60_500)).scenario());
    all.put(
        "one-time, then deleted", new FixedScenarios().putOneTime("a", START + 60_500).scenario());
    all.put(
        "one fire or another",
        new FixedScenarios().put("a", Join.ANY, minutely, cron("30 1 * * * ?")).scenario());
    all.put(
        "partitions",
        new FixedScenarios().put("a", partitions("d", 2)).announce("d", 1, 1, 3).scenario());
    all.put(
        "both data sets",
        new FixedScenarios()
            .put("a", Join.ALL, partitions("d", 1), partitions("e", 1))
            .announce("d", 1)
            .announce("e", 1)
            .scenario());
    all.put(
        "clock and data",
        new FixedScenarios()
            .put("a", Join.ALL, minutely, partitions("d", 2))
            .announce("d", 1, 2)
            .scenario());
    all.put(
        "clock or data",
        new FixedScenarios()
            .put("a", Join.ANY, minutely, partitions("d", 2))
            .announce("d", 1, 2)
            .scenario());
    all.put(
        "fan-out",
        new FixedScenarios()
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 2))
            .announce("d", 1, 1)
            .scenario());
    all.put("missing target", new FixedScenarios().put("a", minutely).refuse(50, 70).scenario());
    all.put(
        "replaced while pending",
        new FixedScenarios()
            .put("a", partitions("d", 2))
            .announce("d", 1)
            .then("a", Kind.PUT, 40, spec(2, Join.ANY, false, partitions("d", 1)))
            .announceAt(60, "d", 1)
            .scenario());
    all.put(
        "suspended and resumed",
        new FixedScenarios()
            .put("a", Join.ANY, cron("0/30 * * * * ?"), partitions("d", 2))
            .announce("d", 1)
            .suspend("a", Mode.DISCARD, 40)
            .then("a", Kind.RESUME, 70, null)
            .announceAt(75, "d", 2)
            .scenario());
    all.put(
        "held and resumed",
        new FixedScenarios()
            .withLimit(1)
            .put("a", Join.ANY, cron("0/30 * * * * ?"), partitions("d", 2))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .announceAt(12, "d", 1)
            .suspend("a", Mode.HOLD, 13)
            .suspend("b", Mode.HOLD, 13)
            .then("a", Kind.RESUME, 70, null)
            .then("b", Kind.RESUME, 72, null)
            .announceAt(75, "d", 2)
            .scenario());
    all.put(
        "held until an instant",
        new FixedScenarios()
            .put("a", cron("0/10 * * * * ?"))
            .put("b", Join.ALL, partitions("d", 1), cron("0/30 * * * * ?"))
            .announce("d", 1)
            .suspendUntil("a", Mode.HOLD, 17, 66)
            .suspendUntil("b", Mode.HOLD, 17, 67)
            .scenario());
    all.put(
        "a backlog",
        new FixedScenarios()
            .put("a", cron("0/10 * * * * ?"))
            .put("b", Join.ANY, cron("0/30 * * * * ?"), partitions("d", 1))
            .announce("d", 1, 1, 1)
            .suspend("a", Mode.BACKLOG, 18)
            .suspend("b", Mode.BACKLOG, 18)
            .then("a", Kind.RESUME, 60, null)
            .then("b", Kind.RESUME, 62, null)
            .scenario());
    all.put(
        "a backlog until an instant",
        new FixedScenarios()
            .put("a", cron("0/10 * * * * ?"))
            .suspendUntil("a", Mode.BACKLOG, 18, 58)
            .scenario());
    all.put(
        "drained",
        new FixedScenarios()
            .put("a", Join.ALL, partitions("d", 1), cron("0/30 * * * * ?"))
            .put("b", cron("0/10 * * * * ?"))
            .announce("d", 1)
            .suspend("a", Mode.DRAIN, 20)
            .suspend("b", Mode.DRAIN, 20)
            .then("a", Kind.RESUME, 70, null)
            .announceAt(75, "d", 1)
            .scenario());
    all.put(
        "from mode to mode",
        new FixedScenarios()
            .put("a", cron("0/10 * * * * ?"))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .suspend("a", Mode.BACKLOG, 8)
            .suspend("b", Mode.HOLD, 9)
            .suspend("a", Mode.HOLD, 40)
            .suspend("b", Mode.DISCARD, 40)
            .suspend("a", Mode.DRAIN, 60)
            .scenario());
    all.put(
        "held and replaced, held and deleted",
        new FixedScenarios()
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .suspend("a", Mode.HOLD, 9)
            .suspend("b", Mode.BACKLOG, 9)
            .then("a", Kind.PUT, 40, spec(2, Join.ANY, false, minutely))
            .then("b", Kind.DELETE, 40, null)
            .scenario());
    all.put(
        "deleted and created again",
        new FixedScenarios()
            .put("a", cron("0/30 * * * * ?"))
            .then("a", Kind.DELETE, 56, null)
            .then("a", Kind.PUT, 80, spec(2, Join.ANY, false, minutely))
            .scenario());
    all.put(
        "launched manually",
        new FixedScenarios().put("a", minutely).then("a", Kind.LAUNCH, 20, null).scenario());
    all.put(
        "skipped",
        new FixedScenarios()
            .put("a", cron("0/30 * * * * ?"))
            .then("a", Kind.SKIP, 20, null)
            .scenario());
    all.put(
        "one at a time",
        new FixedScenarios()
            .withLimit(1)
            .put("a", partitions("d", 1))
            .put("b", minutely)
            .announce("d", 1, 1)
            .announceAt(11, "d", 1)
            .announceAt(12, "d", 1)
            .scenario());
    all.put(
        "two at a time, one deleted",
        new FixedScenarios()
            .withLimit(2)
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .announceAt(12, "d", 1)
            .then("a", Kind.DELETE, 13, null)
            .scenario());
    all.put(
        "one at a time, missing target",
        new FixedScenarios()
            .withLimit(1)
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .refuse(9, 20)
            .scenario());
    all.put("a backfill", new FixedScenarios().put("a", minutely).backfill("a", 20).scenario());
    all.put(
        "a backfill, one at a time",
        new FixedScenarios()
            .withLimit(1)
            .put("a", cron("0 0/2 * * * ?"))
            .backfill("a", 20)
            .scenario());
    all.put(
        "a backfill, deleted in the middle",
        new FixedScenarios()
            .withLimit(1)
            .put("a", minutely)
            .backfill("a", 20)
            .then("a", Kind.DELETE, 24, null)
            .scenario());
    all.put(
        "a backfill, cancelled",
        new FixedScenarios()
            .withLimit(1)
            .put("a", minutely)
            .backfill("a", 20)
            .cancelled("a", 20, 24)
            .scenario());
    all.put(
        "backfills, held and drained",
        new FixedScenarios()
            .put("a", minutely)
            .put("b", minutely)
            .backfill("a", 20)
            .backfill("b", 20)
            .suspend("a", Mode.HOLD, 21)
            .suspend("b", Mode.DRAIN, 21)
            .then("a", Kind.RESUME, 60, null)
            .scenario());
    all.put(
        "a backfill and a gauge",
        new FixedScenarios().put("a", minutely).backfill("a", 4).closedUntil(87).scenario());
    all.put(
        "a calendar that changes",
        new FixedScenarios()
            .excluding(0, 20, 40)
            .excluding(32, 50, 65)
            .excluding(70, 75, 95)
            .put("a", cron("0/10 * * * * ?"))
            .put("b", Join.ALL, partitions("d", 1), cron("0/30 * * * * ?"))
            .announce("d", 1, 1)
            .scenario());
    all.put(
        "a calendar that excludes what waits already",
        new FixedScenarios()
            .excluding(0, 0, 1)
            .excluding(60, 50, 70)
            .excluding(64, 0, 1)
            .put("a", new WaitPolicy(20_000, 0, false, Pending.QUEUE), Join.ANY, minutely)
            .scenario());
    all.put(
        "a calendar that is deleted and created again",
        new FixedScenarios()
            .excluding(0, 20, 40)
            .removing(15)
            .removing(45)
            .excluding(64, 60, 75)
            .put("a", cron("0/10 * * * * ?"))
            .then("a", Kind.PUT, 32, spec(2, Join.ANY, false, cron("0/10 * * * * ?")))
            .then(
                "a",
                Kind.PUT,
                70,
                spec(3, Join.ANY, false, cron("0/10 * * * * ?")).excludingCalendar())
            .scenario());
    Map<String, ScheduleSpec> first =
        Map.of(
            "a", spec(1, Join.ANY, false, minutely),
            "b", spec(1, Join.ANY, false, partitions("d", 2)),
            "c", spec(1, Join.ANY, false, cron("0/30 * * * * ?")));
    Map<String, ScheduleSpec> second =
        Map.of(
            "a", spec(2, Join.ANY, false, cron("0/30 * * * * ?")),
            "b", spec(1, Join.ANY, false, partitions("d", 2)),
            "d", spec(1, Join.ANY, false, minutely));
    all.put(
        "an app that is deployed again",
        new FixedScenarios()
            .deploy(0, Action.DEPLOY, first)
            .deploy(20, Action.SUSPEND, Map.of("a", spec(1, Join.ANY, false, minutely)))
            .deploy(40, Action.DEPLOY, second)
            .deploy(100, Action.RESUME, Map.of("a", spec(2, Join.ANY, false, minutely)))
            .announce("d", 1, 1)
            .scenario());
    all.put(
        "an app that is deleted",
        new FixedScenarios()
            .deploy(0, Action.DEPLOY, first)
            .deploy(56, Action.DELETE, Map.of())
            .deploy(80, Action.DEPLOY, second)
            .announce("d", 1)
            .announceAt(85, "d", 2)
            .scenario());
    WaitPolicy launching = new WaitPolicy(0, 40_000, true, Pending.QUEUE);
    WaitPolicy discarding = new WaitPolicy(0, 40_000, false, Pending.QUEUE);
    all.put(
        "time-out of the trigger",
        new FixedScenarios()
            .put("a", launching, Join.ALL, partitions("d", 1), partitions("e", 1))
            .put("b", discarding, Join.ANY, partitions("d", 2))
            .announce("d", 1)
            .announceAt(80, "e", 1)
            .scenario());
    all.put(
        "time-out of a constraint",
        new FixedScenarios()
            .put("a", new WaitPolicy(60_000, 30_000, true, Pending.QUEUE), Join.ANY, minutely)
            .put(
                "b",
                new WaitPolicy(25_000, 30_000, false, Pending.QUEUE),
                Join.ANY,
                partitions("d", 1))
            .announce("d", 1)
            .refuse(30, 60)
            .scenario());
    all.put(
        "merged fires",
        new FixedScenarios()
            .put(
                "a",
                new WaitPolicy(25_000, 0, false, Pending.MERGE),
                Join.ANY,
                cron("0/10 * * * * ?"))
            .scenario());
    all.put(
        "merged events",
        new FixedScenarios()
            .put("a", new WaitPolicy(20_000, 0, false, Pending.MERGE), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1, 1)
            .announceAt(12, "d", 2)
            .scenario());
    all.put(
        "skipped fires and events",
        new FixedScenarios()
            .put(
                "a",
                new WaitPolicy(25_000, 0, false, Pending.SKIP),
                Join.ANY,
                cron("0/10 * * * * ?"))
            .put("b", new WaitPolicy(20_000, 0, false, Pending.SKIP), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .announceAt(12, "d", 2)
            .scenario());
    all.put(
        "time-outs while held",
        new FixedScenarios()
            .put("a", launching, Join.ALL, partitions("d", 1), partitions("e", 1))
            .put("b", discarding, Join.ANY, partitions("d", 2))
            .announce("d", 1)
            .suspend("a", Mode.HOLD, 20)
            .suspendUntil("b", Mode.BACKLOG, 20, 70)
            .then("a", Kind.RESUME, 70, null)
            .scenario());
    all.put(
        "a backlog that is merged",
        new FixedScenarios()
            .put("a", new WaitPolicy(0, 0, false, Pending.MERGE), Join.ANY, cron("0/10 * * * * ?"))
            .put("b", new WaitPolicy(5_000, 0, false, Pending.MERGE), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .suspendUntil("a", Mode.BACKLOG, 18, 58)
            .suspend("b", Mode.BACKLOG, 12)
            .then("b", Kind.RESUME, 62, null)
            .scenario());
    all.put(
        "a backlog that is skipped",
        new FixedScenarios()
            .put(
                "a",
                new WaitPolicy(5_000, 0, false, Pending.SKIP),
                Join.ANY,
                cron("0/10 * * * * ?"))
            .put("b", new WaitPolicy(0, 0, false, Pending.SKIP), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .suspend("a", Mode.BACKLOG, 18)
            .suspend("b", Mode.BACKLOG, 9)
            .then("a", Kind.RESUME, 58, null)
            .then("b", Kind.RESUME, 62, null)
            .scenario());
    all.put(
        "a gauge that opens",
        new FixedScenarios()
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .closedUntil(20)
            .scenario());
    all.put(
        "a gauge and one at a time",
        new FixedScenarios()
            .withLimit(1)
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .closedUntil(20)
            .scenario());
    all.put(
        "missed, and the latest is made up for",
        new FixedScenarios()
            .put("a", new CatchUp(Policy.LATEST, 0), cron("0 0/2 * * * ?"))
            .out(false)
            .scenario());
    all.put(
        "missed while nothing is launched either",
        new FixedScenarios()
            .put("a", new CatchUp(Policy.ALL, 300_000), cron("0 0/2 * * * ?"))
            .put("b", new CatchUp(Policy.NONE, 0), cron("0 0/3 * * * ?"))
            .out(true)
            .scenario());
    all.putAll(tracked());
    all.putAll(reported());
    all.putAll(pooled());
    return all;
  }

  /** Scenarios of a pool, which together have each way into it and out of it. */
  private static Map<String, Scenario> pooled() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    all.put(
        "a pool that fills its queue",
        new FixedScenarios()
            .define(0, new PoolSpec(true, 1, false, Map.of(), Map.of("a", 1), false))
            .customers("a", "b")
            .jobs(10, "a", "a", "b")
            .workers(Behaviour.SUCCEEDS, Behaviour.FAILS)
            .scenario());
    all.put(
        "a pool that workers pull from",
        new FixedScenarios()
            .define(0, new PoolSpec(false, 1, false, Map.of("a", 2), Map.of("b", 1), false))
            .customers("a", "b")
            .jobs(6, "a", "b", "b")
            .workers(Behaviour.SUCCEEDS, Behaviour.FAILS)
            .pulled(Fate.LOSES_ANSWER, Fate.DIES, Fate.REPEATS)
            .scenario());
    all.put(
        "a pool that is pulled from beside its queue",
        new FixedScenarios()
            .define(0, new PoolSpec(true, 1, false, Map.of(), Map.of(), false))
            .customers("a", "b")
            .jobs(6, "a", "b", "b")
            .workers(Behaviour.SUCCEEDS)
            .pulled(Fate.SENDS_TWICE)
            .scenario());
    all.put(
        "a pool that is paused, and whose order changes",
        new FixedScenarios()
            .define(0, new PoolSpec(true, 1, false, Map.of(), Map.of(), true))
            .define(14, new PoolSpec(true, 1, true, Map.of(), Map.of(), true))
            .define(18, new PoolSpec(true, 1, true, Map.of(), Map.of(), false))
            .customers("a", "b")
            .jobs(6, "b", "a")
            .workers(Behaviour.SUCCEEDS)
            .scenario());
    all.put(
        "a gauge before a pool",
        new FixedScenarios()
            .define(0, new PoolSpec(true, 1, false, Map.of(), Map.of(), false))
            .customers("a")
            .jobs(6, "a")
            .closedUntil(20)
            .workers(Behaviour.SUCCEEDS)
            .scenario());
    return all;
  }

  private FixedScenarios define(int second, PoolSpec definition) {
    pool.add(new PoolChange(at(second), definition));
    return this;
  }

  /** Customers of the pool, each with a schedule of its name. */
  private FixedScenarios customers(String... names) {
    Tracking tracking = new Tracking(15_000, 10_000, 6_000, 20_000, 2, 4_000, 2, 8_000);
    for (String name : names) {
      Limits place = new Limits("pooled", Ends.NONE, List.of(new InPool(name, 5)));
      then(
          name,
          Kind.PUT,
          0,
          spec(1, Join.ANY, false, partitions(name, 1)).limitedBy(place).trackedBy(tracking));
    }
    return this;
  }

  /** A job of each of these customers, one second after the other. */
  private FixedScenarios jobs(int second, String... customers) {
    for (int i = 0; i < customers.length; i++) {
      announceAt(second + i, customers[i], 1);
    }
    return this;
  }

  /** A worker pulls from the pool; its first requests have these fates. */
  private FixedScenarios pulled(Fate... fates) {
    workers = workers.pulling(new PullPlan(1, List.of(fates), false));
    return this;
  }

  /** Scenarios of tracked jobs, which together have each step of a run. */
  private static Map<String, Scenario> tracked() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    all.put(
        "a tracked job",
        new FixedScenarios().tracked(1, 0).announce("w", 1).workers(Behaviour.SUCCEEDS).scenario());
    all.put(
        "a job that calls back",
        new FixedScenarios().put("callback1", cron("0 * * * * ?")).scenario());
    all.put(
        "a job that times out and calls back",
        new FixedScenarios()
            .put(
                "callback1",
                new WaitPolicy(60_000, 20_000, false, Pending.QUEUE),
                Join.ANY,
                partitions("d", 1))
            .put("b", cron("0 * * * * ?"))
            .announce("d", 1)
            .scenario());
    all.put(
        "a tracked job of a deleted schedule that calls back",
        new FixedScenarios()
            .tracked("callback1", 2, 0)
            .announce("w", 1, 1)
            .then("callback1", Kind.DELETE, 26, null)
            .workers(Behaviour.FAILS, Behaviour.SUCCEEDS)
            .scenario());
    all.put(
        "a tracked job that fails, and is retried",
        new FixedScenarios()
            .tracked(3, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS, Behaviour.REPORTS_TWICE)
            .scenario());
    all.put(
        "tracked jobs that no worker claims or starts",
        new FixedScenarios()
            .tracked(3, 0)
            .announce("w", 1)
            .workers(Behaviour.DIES_BEFORE_CLAIM, Behaviour.DIES_AFTER_CLAIM)
            .scenario());
    all.put(
        "a tracked job that stops reporting, and one that takes too long",
        new FixedScenarios()
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.DIES_IN_THE_MIDDLE, Behaviour.LINGERS)
            .scenario());
    all.put(
        "a tracked job that fails for good, and is retried by a caller",
        new FixedScenarios()
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS_FOR_GOOD, Behaviour.SUCCEEDS)
            .asked(40, RunCall.Kind.RETRY)
            .scenario());
    all.put(
        "tracked jobs that a caller cancels",
        new FixedScenarios()
            .tracked(2, 0)
            .announce("w", 1, 1)
            .workers(Behaviour.LINGERS, Behaviour.DIES_BEFORE_CLAIM)
            .asked(13, RunCall.Kind.CANCEL)
            .asked(30, RunCall.Kind.CANCEL)
            .scenario());
    all.put(
        "tracked jobs, one at a time",
        new FixedScenarios()
            .tracked(2, 1)
            .announce("w", 1)
            .announceAt(11, "w", 1)
            .announceAt(12, "w", 1)
            .workers(Behaviour.FAILS, Behaviour.DIES_AFTER_CLAIM, Behaviour.CLAIMS_TWICE)
            .scenario());
    all.put(
        "a tracked job whose schedule is deleted",
        new FixedScenarios()
            .tracked(3, 0)
            .announce("w", 1, 1)
            .then("a", Kind.DELETE, 26, null)
            .workers(Behaviour.FAILS, Behaviour.FAILS, Behaviour.FAILS)
            .scenario());
    return all;
  }

  /** Scenarios of workers that send reports to the report queue, or report operations. */
  static Map<String, Scenario> reported() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    all.put(
        ENDS_BY_MESSAGES,
        new FixedScenarios()
            .withLongClaims()
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS, Behaviour.SUCCEEDS)
            .drawing(ENDS_SEED, true)
            .scenario());
    all.put(
        REPORTED_BY_MESSAGES,
        new FixedScenarios()
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS, Behaviour.SUCCEEDS)
            .drawing(MESSAGES_SEED, true)
            .scenario());
    all.put(
        MESSAGES_OF_FORMER_CLAIMS,
        new FixedScenarios()
            .tracked(3, 0)
            .announce("w", 1)
            .workers(Behaviour.STALLS, Behaviour.REPORTS_IN_DISORDER, Behaviour.USES_OLD_TOKENS)
            .drawing(STALE_SEED, true)
            .scenario());
    all.put(
        OPERATIONS_BY_MESSAGES,
        new FixedScenarios()
            .withOperations(3)
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS, Behaviour.SUCCEEDS)
            .drawing(OPERATIONS_SEED, true)
            .scenario());
    all.put(
        OPERATIONS_BY_REQUESTS,
        new FixedScenarios()
            .withOperations(3)
            .tracked(2, 0)
            .announce("w", 1)
            .workers(Behaviour.FAILS, Behaviour.SUCCEEDS)
            .drawing(FIRST_DONE_SEED, false)
            .scenario());
    return all;
  }

  /**
   * The random numbers of the workers.
   *
   * @param usesQueue whether some reports are messages of the report queue
   */
  private FixedScenarios drawing(long seed, boolean usesQueue) {
    workers = new WorkerPlan(seed, workers.behaviours(), workers.requests(), false, usesQueue);
    return this;
  }

  /** Claims outlive the repair, so that no report comes too late. */
  private FixedScenarios withLongClaims() {
    hasLongClaims = true;
    return this;
  }

  private FixedScenarios withOperations(int count) {
    operations = count;
    return this;
  }

  /**
   * A tracked schedule of data set "w", and the one that counts its runs.
   *
   * @param max how many of its runs can be unfinished; 0 for no limit
   */
  private FixedScenarios tracked(int attempts, int max) {
    return tracked("a", attempts, max);
  }

  private FixedScenarios tracked(String name, int attempts, int max) {
    Tracking tracking =
        hasLongClaims
            ? new Tracking(15_000, 600_000, 600_000, 600_000, attempts, 4_000, 2, 8_000, operations)
            : new Tracking(15_000, 10_000, 6_000, 20_000, attempts, 4_000, 2, 8_000, operations);
    List<Limit> limits = max == 0 ? List.of() : List.of(new RunLimit(max, "", false));
    UserAction watcher = WorkerScenarios.watcher(2, START);
    then(watcher.schedule(), watcher);
    return then(
        name,
        Kind.PUT,
        0,
        spec(1, Join.ANY, false, partitions(WorkerScenarios.DATASET, 1))
            .limitedBy(new Limits(WorkerScenarios.PROGRAM, Ends.NONE, limits))
            .trackedBy(tracking));
  }

  /** The behaviour of the first deliveries; all others are carried out. */
  private FixedScenarios workers(Behaviour... behaviours) {
    workers = new WorkerPlan(WORKER_SEED, List.of(behaviours), workers.requests(), false);
    return this;
  }

  /** A caller asks for something, about the job that was launched last. */
  private FixedScenarios asked(int second, RunCall.Kind kind) {
    List<JobRequest> requests = new ArrayList<>(workers.requests());
    requests.add(new JobRequest(at(second), kind, 1));
    workers = new WorkerPlan(WORKER_SEED, workers.behaviours(), requests, false);
    return this;
  }

  /** Adds an outage that begins soon and lasts longer than the look-ahead. */
  private FixedScenarios out(boolean ofChecker) {
    outage = new Outage(START + 15_000, START + 15_000 + OUTAGE_FOR, ofChecker);
    return this;
  }

  private FixedScenarios put(String name, CatchUp catchUp, Leaf leaf) {
    ScheduleSpec spec = spec(1, Join.ANY, false, leaf);
    return then(name, Kind.PUT, 0, spec.catchingUp(spec.leaves(), catchUp));
  }

  private FixedScenarios excluding(int second, int from, int to) {
    calendar.add(new CalendarChange(at(second), List.of(new TimeRange(at(from), at(to)))));
    return this;
  }

  private FixedScenarios removing(int second) {
    calendar.add(CalendarChange.deletion(at(second)));
    return this;
  }

  private FixedScenarios deploy(int second, Action action, Map<String, ScheduleSpec> documents) {
    Mode mode = action == Action.SUSPEND ? Mode.BACKLOG : null;
    deployments.add(new Deployment(at(second), action, documents, mode, false));
    return this;
  }

  private FixedScenarios withLimit(int most) {
    limit = most;
    return this;
  }

  private static Leaf cron(String expression) {
    return new Cron(expression);
  }

  private static Leaf partitions(String dataset, int count) {
    return new Partitions(dataset, count);
  }

  private static ScheduleSpec spec(int version, Join join, boolean deletesItself, Leaf... leaves) {
    return new ScheduleSpec(version, join, List.of(leaves), deletesItself);
  }

  private FixedScenarios put(String name, Leaf leaf) {
    return put(name, Join.ANY, leaf);
  }

  private FixedScenarios put(String name, Join join, Leaf... leaves) {
    return put(name, WaitPolicy.NOT, join, leaves);
  }

  private FixedScenarios put(String name, WaitPolicy waits, Join join, Leaf... leaves) {
    ScheduleSpec spec = spec(1, join, false, leaves).withWaits(waits);
    return then(name, Kind.PUT, 0, calendar.isEmpty() ? spec : spec.excludingCalendar());
  }

  private FixedScenarios putOneTime(String name, long instant) {
    return then(name, Kind.PUT, 0, spec(1, Join.ANY, true, new At(instant)));
  }

  private FixedScenarios suspend(String name, Mode mode, int second) {
    return then(name, UserAction.suspend(name, at(second), mode, History.NEVER));
  }

  private FixedScenarios suspendUntil(String name, Mode mode, int second, int until) {
    return then(name, UserAction.suspend(name, at(second), mode, at(until)));
  }

  /** A backfill of some minutes before. */
  private FixedScenarios backfill(String name, int second) {
    return then(name, backfilled(name, second));
  }

  private FixedScenarios cancelled(String name, int asked, int second) {
    return then(name, UserAction.cancel(backfilled(name, asked), at(second)));
  }

  private static UserAction backfilled(String name, int second) {
    BackfillRange backfillRange = new BackfillRange(at(second) - 400_000, at(second) - 100_000);
    return UserAction.backfill(name, at(second), backfillRange);
  }

  private static long at(int second) {
    return START + second * 1_000L;
  }

  private FixedScenarios then(String name, Kind kind, int second, @Nullable ScheduleSpec given) {
    ScheduleSpec spec = given == null ? null : given.withLimit(limit);
    return then(name, new UserAction(name, kind, at(second), spec));
  }

  /** Adds an action to the script of its schedule. */
  private FixedScenarios then(String name, UserAction action) {
    for (List<UserAction> script : scripts) {
      if (script.get(0).schedule().equals(name)) {
        script.add(action);
        return this;
      }
    }
    scripts.add(new ArrayList<>(List.of(action)));
    return this;
  }

  /** Closes the gauge until {@code second}; from then on it is open. */
  private FixedScenarios closedUntil(int second) {
    reports.add(new Report(START, 9, 5_000));
    reports.add(new Report(START + second * 1_000L, Scenario.OPEN, 0));
    return this;
  }

  private FixedScenarios announce(String dataset, int... weights) {
    int second = 10;
    for (int weight : weights) {
      Channel channel = second == 10 ? Channel.MESSAGE : Channel.API;
      producedEvents.add(new ProducedEvent(START + second * 1_000L, dataset, weight, channel));
      second += 15;
    }
    return this;
  }

  private FixedScenarios announceAt(int second, String dataset, int weight) {
    producedEvents.add(
        new ProducedEvent(START + second * 1_000L, dataset, weight, Channel.MESSAGE_WITHOUT_ID));
    return this;
  }

  private FixedScenarios refuse(int from, int to) {
    refusal = new Refusal(START + from * 1_000L, START + to * 1_000L);
    return this;
  }

  private Scenario scenario() {
    long faultsTo = START + FAULTS_FOR + (outage == null ? 0 : OUTAGE_FOR);
    return new Scenario(
        START,
        faultsTo,
        faultsTo + REPAIR + (limit == 0 && workers == WorkerPlan.NONE ? 60_000 : QUEUE),
        REPAIR,
        START + 7_000,
        scripts,
        producedEvents,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments.isEmpty() ? List.of() : List.of(deployments),
        workers,
        pool);
  }
}
