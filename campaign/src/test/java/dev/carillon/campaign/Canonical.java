package dev.carillon.campaign;

import dev.carillon.campaign.engine.Outage;
import dev.carillon.campaign.judge.CatchUp;
import dev.carillon.campaign.judge.CatchUp.Policy;
import dev.carillon.campaign.judge.Deploying.Action;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.History.Past;
import dev.carillon.campaign.judge.History.Stretch;
import dev.carillon.campaign.judge.Waits;
import dev.carillon.campaign.judge.Waits.Pending;
import dev.carillon.campaign.judge.Wish;
import dev.carillon.campaign.judge.Wish.At;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import dev.carillon.campaign.judge.Wish.Leaf;
import dev.carillon.campaign.judge.Wish.Partitions;
import dev.carillon.campaign.scenario.Deployment;
import dev.carillon.campaign.scenario.Scenario;
import dev.carillon.campaign.scenario.Scenario.Excluding;
import dev.carillon.campaign.scenario.Scenario.Fact;
import dev.carillon.campaign.scenario.Scenario.Refusal;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import dev.carillon.campaign.scenario.Scenario.Way;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two and a half minutes for each thing that users do; an outage comes on top. */
final class Canonical {

  private static final long START = Instant.parse("2026-03-01T10:00:03Z").toEpochMilli();
  private static final long STRUCK_FOR = 150_000;
  private static final long REPAIR = 180_000;

  /** What launches under a limit may take beyond that, one after another. */
  private static final long QUEUE = 420_000;

  private static final long OUT_FOR = 1_200_000;

  private final List<List<Wanted>> scripts = new ArrayList<>();
  private final List<Fact> facts = new ArrayList<>();
  private final List<Report> reports = new ArrayList<>();
  private final List<Excluding> calendar = new ArrayList<>();
  private final List<Deployment> deployments = new ArrayList<>();
  private int limit;
  private @Nullable Refusal refusal;
  private @Nullable Outage outage;

  private Canonical() {}

  static Map<String, Scenario> all() {
    Map<String, Scenario> all = new LinkedHashMap<>();
    Leaf minutely = cron("0 * * * * ?");
    all.put("plain fires", new Canonical().put("a", minutely).scenario());
    all.put(
        "two schedules, one second",
        new Canonical().put("a", minutely).put("b", cron("0 1,2 * * * ?")).scenario());
    all.put("several fires at once", new Canonical().put("a", cron("0/20 * * * * ?")).scenario());
    all.put("one-time", new Canonical().put("a", new At(START + 60_500)).scenario());
    all.put("one-time, then gone", new Canonical().putOnce("a", START + 60_500).scenario());
    all.put(
        "one fire or another",
        new Canonical().put("a", Join.ANY, minutely, cron("30 1 * * * ?")).scenario());
    all.put(
        "partitions",
        new Canonical().put("a", partitions("d", 2)).announce("d", 1, 1, 3).scenario());
    all.put(
        "both data sets",
        new Canonical()
            .put("a", Join.ALL, partitions("d", 1), partitions("e", 1))
            .announce("d", 1)
            .announce("e", 1)
            .scenario());
    all.put(
        "clock and data",
        new Canonical()
            .put("a", Join.ALL, minutely, partitions("d", 2))
            .announce("d", 1, 2)
            .scenario());
    all.put(
        "clock or data",
        new Canonical()
            .put("a", Join.ANY, minutely, partitions("d", 2))
            .announce("d", 1, 2)
            .scenario());
    all.put(
        "fan-out",
        new Canonical()
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 2))
            .announce("d", 1, 1)
            .scenario());
    all.put("missing target", new Canonical().put("a", minutely).refuse(50, 70).scenario());
    all.put(
        "replaced while pending",
        new Canonical()
            .put("a", partitions("d", 2))
            .announce("d", 1)
            .then("a", Kind.PUT, 40, wish(2, Join.ANY, false, partitions("d", 1)))
            .announceAt(60, "d", 1)
            .scenario());
    all.put(
        "suspended and resumed",
        new Canonical()
            .put("a", Join.ANY, cron("0/30 * * * * ?"), partitions("d", 2))
            .announce("d", 1)
            .suspend("a", Mode.DISCARD, 40)
            .then("a", Kind.RESUME, 70, null)
            .announceAt(75, "d", 2)
            .scenario());
    all.put(
        "held and resumed",
        new Canonical()
            .limited(1)
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
        new Canonical()
            .put("a", cron("0/10 * * * * ?"))
            .put("b", Join.ALL, partitions("d", 1), cron("0/30 * * * * ?"))
            .announce("d", 1)
            .suspendUntil("a", Mode.HOLD, 17, 66)
            .suspendUntil("b", Mode.HOLD, 17, 67)
            .scenario());
    all.put(
        "a backlog",
        new Canonical()
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
        new Canonical()
            .put("a", cron("0/10 * * * * ?"))
            .suspendUntil("a", Mode.BACKLOG, 18, 58)
            .scenario());
    all.put(
        "drained",
        new Canonical()
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
        new Canonical()
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
        new Canonical()
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .suspend("a", Mode.HOLD, 9)
            .suspend("b", Mode.BACKLOG, 9)
            .then("a", Kind.PUT, 40, wish(2, Join.ANY, false, minutely))
            .then("b", Kind.DELETE, 40, null)
            .scenario());
    all.put(
        "deleted and made anew",
        new Canonical()
            .put("a", cron("0/30 * * * * ?"))
            .then("a", Kind.DELETE, 56, null)
            .then("a", Kind.PUT, 80, wish(2, Join.ANY, false, minutely))
            .scenario());
    all.put(
        "launched by hand",
        new Canonical().put("a", minutely).then("a", Kind.LAUNCH, 20, null).scenario());
    all.put(
        "skipped",
        new Canonical().put("a", cron("0/30 * * * * ?")).then("a", Kind.SKIP, 20, null).scenario());
    all.put(
        "one at a time",
        new Canonical()
            .limited(1)
            .put("a", partitions("d", 1))
            .put("b", minutely)
            .announce("d", 1, 1)
            .announceAt(11, "d", 1)
            .announceAt(12, "d", 1)
            .scenario());
    all.put(
        "two at a time, one deleted",
        new Canonical()
            .limited(2)
            .put("a", partitions("d", 1))
            .put("b", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .announceAt(12, "d", 1)
            .then("a", Kind.DELETE, 13, null)
            .scenario());
    all.put(
        "one at a time, missing target",
        new Canonical()
            .limited(1)
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .refuse(9, 20)
            .scenario());
    all.put("a backfill", new Canonical().put("a", minutely).backfill("a", 20).scenario());
    all.put(
        "a backfill, one at a time",
        new Canonical().limited(1).put("a", cron("0 0/2 * * * ?")).backfill("a", 20).scenario());
    all.put(
        "a backfill, deleted in the middle",
        new Canonical()
            .limited(1)
            .put("a", minutely)
            .backfill("a", 20)
            .then("a", Kind.DELETE, 24, null)
            .scenario());
    all.put(
        "a backfill, cancelled",
        new Canonical()
            .limited(1)
            .put("a", minutely)
            .backfill("a", 20)
            .cancelled("a", 20, 24)
            .scenario());
    all.put(
        "backfills, held and drained",
        new Canonical()
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
        new Canonical().put("a", minutely).backfill("a", 4).closedUntil(87).scenario());
    all.put(
        "a calendar that changes",
        new Canonical()
            .excluding(0, 20, 40)
            .excluding(32, 50, 65)
            .excluding(70, 75, 95)
            .put("a", cron("0/10 * * * * ?"))
            .put("b", Join.ALL, partitions("d", 1), cron("0/30 * * * * ?"))
            .announce("d", 1, 1)
            .scenario());
    all.put(
        "a calendar that excludes what waits already",
        new Canonical()
            .excluding(0, 0, 1)
            .excluding(60, 50, 70)
            .excluding(64, 0, 1)
            .put("a", new Waits(20_000, 0, false, Pending.QUEUE), Join.ANY, minutely)
            .scenario());
    all.put(
        "a calendar that is deleted, and made anew",
        new Canonical()
            .excluding(0, 20, 40)
            .removing(15)
            .removing(45)
            .excluding(64, 60, 75)
            .put("a", cron("0/10 * * * * ?"))
            .then("a", Kind.PUT, 32, wish(2, Join.ANY, false, cron("0/10 * * * * ?")))
            .then("a", Kind.PUT, 70, wish(3, Join.ANY, false, cron("0/10 * * * * ?")).excluding())
            .scenario());
    Map<String, Wish> first =
        Map.of(
            "a", wish(1, Join.ANY, false, minutely),
            "b", wish(1, Join.ANY, false, partitions("d", 2)),
            "c", wish(1, Join.ANY, false, cron("0/30 * * * * ?")));
    Map<String, Wish> second =
        Map.of(
            "a", wish(2, Join.ANY, false, cron("0/30 * * * * ?")),
            "b", wish(1, Join.ANY, false, partitions("d", 2)),
            "d", wish(1, Join.ANY, false, minutely));
    all.put(
        "an app that is deployed again",
        new Canonical()
            .deploy(0, Action.DEPLOY, first)
            .deploy(20, Action.SUSPEND, Map.of("a", wish(1, Join.ANY, false, minutely)))
            .deploy(40, Action.DEPLOY, second)
            .deploy(100, Action.RESUME, Map.of("a", wish(2, Join.ANY, false, minutely)))
            .announce("d", 1, 1)
            .scenario());
    all.put(
        "an app that is deleted",
        new Canonical()
            .deploy(0, Action.DEPLOY, first)
            .deploy(56, Action.DELETE, Map.of())
            .deploy(80, Action.DEPLOY, second)
            .announce("d", 1)
            .announceAt(85, "d", 2)
            .scenario());
    Waits launching = new Waits(0, 40_000, true, Pending.QUEUE);
    Waits discarding = new Waits(0, 40_000, false, Pending.QUEUE);
    all.put(
        "time-out of the trigger",
        new Canonical()
            .put("a", launching, Join.ALL, partitions("d", 1), partitions("e", 1))
            .put("b", discarding, Join.ANY, partitions("d", 2))
            .announce("d", 1)
            .announceAt(80, "e", 1)
            .scenario());
    all.put(
        "time-out of a constraint",
        new Canonical()
            .put("a", new Waits(60_000, 30_000, true, Pending.QUEUE), Join.ANY, minutely)
            .put("b", new Waits(25_000, 30_000, false, Pending.QUEUE), Join.ANY, partitions("d", 1))
            .announce("d", 1)
            .refuse(30, 60)
            .scenario());
    all.put(
        "merged fires",
        new Canonical()
            .put("a", new Waits(25_000, 0, false, Pending.MERGE), Join.ANY, cron("0/10 * * * * ?"))
            .scenario());
    all.put(
        "merged events",
        new Canonical()
            .put("a", new Waits(20_000, 0, false, Pending.MERGE), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1, 1)
            .announceAt(12, "d", 2)
            .scenario());
    all.put(
        "skipped fires and events",
        new Canonical()
            .put("a", new Waits(25_000, 0, false, Pending.SKIP), Join.ANY, cron("0/10 * * * * ?"))
            .put("b", new Waits(20_000, 0, false, Pending.SKIP), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .announceAt(12, "d", 2)
            .scenario());
    all.put(
        "time-outs while held",
        new Canonical()
            .put("a", launching, Join.ALL, partitions("d", 1), partitions("e", 1))
            .put("b", discarding, Join.ANY, partitions("d", 2))
            .announce("d", 1)
            .suspend("a", Mode.HOLD, 20)
            .suspendUntil("b", Mode.BACKLOG, 20, 70)
            .then("a", Kind.RESUME, 70, null)
            .scenario());
    all.put(
        "a backlog that is merged",
        new Canonical()
            .put("a", new Waits(0, 0, false, Pending.MERGE), Join.ANY, cron("0/10 * * * * ?"))
            .put("b", new Waits(5_000, 0, false, Pending.MERGE), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .suspendUntil("a", Mode.BACKLOG, 18, 58)
            .suspend("b", Mode.BACKLOG, 12)
            .then("b", Kind.RESUME, 62, null)
            .scenario());
    all.put(
        "a backlog that is skipped",
        new Canonical()
            .put("a", new Waits(5_000, 0, false, Pending.SKIP), Join.ANY, cron("0/10 * * * * ?"))
            .put("b", new Waits(0, 0, false, Pending.SKIP), Join.ANY, partitions("d", 1))
            .announce("d", 1, 1, 1)
            .suspend("a", Mode.BACKLOG, 18)
            .suspend("b", Mode.BACKLOG, 9)
            .then("a", Kind.RESUME, 58, null)
            .then("b", Kind.RESUME, 62, null)
            .scenario());
    all.put(
        "a gauge that opens",
        new Canonical()
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .closedUntil(20)
            .scenario());
    all.put(
        "a gauge and one at a time",
        new Canonical()
            .limited(1)
            .put("a", partitions("d", 1))
            .announce("d", 1)
            .announceAt(11, "d", 1)
            .closedUntil(20)
            .scenario());
    all.put(
        "missed, and the latest is made up for",
        new Canonical()
            .put("a", new CatchUp(Policy.LATEST, 0), cron("0 0/2 * * * ?"))
            .out(false)
            .scenario());
    all.put(
        "missed while nothing is launched either",
        new Canonical()
            .put("a", new CatchUp(Policy.ALL, 300_000), cron("0 0/2 * * * ?"))
            .put("b", new CatchUp(Policy.NONE, 0), cron("0 0/3 * * * ?"))
            .out(true)
            .scenario());
    return all;
  }

  /** From soon on, for longer than fires are handed over ahead. */
  private Canonical out(boolean ofChecker) {
    outage = new Outage(START + 15_000, START + 15_000 + OUT_FOR, ofChecker);
    return this;
  }

  private Canonical put(String name, CatchUp catchUp, Leaf leaf) {
    Wish wish = wish(1, Join.ANY, false, leaf);
    return then(name, Kind.PUT, 0, wish.catchingUp(wish.leaves(), catchUp));
  }

  private Canonical excluding(int second, int from, int to) {
    calendar.add(new Excluding(at(second), List.of(new Stretch(at(from), at(to)))));
    return this;
  }

  private Canonical removing(int second) {
    calendar.add(Excluding.removal(at(second)));
    return this;
  }

  private Canonical deploy(int second, Action action, Map<String, Wish> documents) {
    Mode mode = action == Action.SUSPEND ? Mode.BACKLOG : null;
    deployments.add(new Deployment(at(second), action, documents, mode, false));
    return this;
  }

  private Canonical limited(int most) {
    limit = most;
    return this;
  }

  private static Leaf cron(String expression) {
    return new Cron(expression);
  }

  private static Leaf partitions(String dataset, int count) {
    return new Partitions(dataset, count);
  }

  private static Wish wish(int version, Join join, boolean deletesItself, Leaf... leaves) {
    return new Wish(version, join, List.of(leaves), deletesItself);
  }

  private Canonical put(String name, Leaf leaf) {
    return put(name, Join.ANY, leaf);
  }

  private Canonical put(String name, Join join, Leaf... leaves) {
    return put(name, Waits.NOT, join, leaves);
  }

  private Canonical put(String name, Waits waits, Join join, Leaf... leaves) {
    Wish wish = wish(1, join, false, leaves).waiting(waits);
    return then(name, Kind.PUT, 0, calendar.isEmpty() ? wish : wish.excluding());
  }

  private Canonical putOnce(String name, long instant) {
    return then(name, Kind.PUT, 0, wish(1, Join.ANY, true, new At(instant)));
  }

  private Canonical suspend(String name, Mode mode, int second) {
    return then(name, Wanted.suspend(name, at(second), mode, History.NEVER));
  }

  private Canonical suspendUntil(String name, Mode mode, int second, int until) {
    return then(name, Wanted.suspend(name, at(second), mode, at(until)));
  }

  /** Of some minutes before. */
  private Canonical backfill(String name, int second) {
    return then(name, backfilled(name, second));
  }

  private Canonical cancelled(String name, int asked, int second) {
    return then(name, Wanted.cancel(backfilled(name, asked), at(second)));
  }

  private static Wanted backfilled(String name, int second) {
    Past past = new Past(at(second) - 400_000, at(second) - 100_000);
    return Wanted.backfill(name, at(second), past);
  }

  private static long at(int second) {
    return START + second * 1_000L;
  }

  private Canonical then(String name, Kind kind, int second, @Nullable Wish given) {
    Wish wish = given == null ? null : given.limited(limit);
    return then(name, new Wanted(name, kind, at(second), wish));
  }

  /** In the script of its schedule. */
  private Canonical then(String name, Wanted wanted) {
    for (List<Wanted> script : scripts) {
      if (script.get(0).schedule().equals(name)) {
        script.add(wanted);
        return this;
      }
    }
    scripts.add(new ArrayList<>(List.of(wanted)));
    return this;
  }

  /** Later the gauge is open, from {@code second} on until then closed. */
  private Canonical closedUntil(int second) {
    reports.add(new Report(START, 9, 5_000));
    reports.add(new Report(START + second * 1_000L, Scenario.OPEN, 0));
    return this;
  }

  private Canonical announce(String dataset, int... weights) {
    int second = 10;
    for (int weight : weights) {
      Way way = second == 10 ? Way.MESSAGE : Way.API;
      facts.add(new Fact(START + second * 1_000L, dataset, weight, way));
      second += 15;
    }
    return this;
  }

  private Canonical announceAt(int second, String dataset, int weight) {
    facts.add(new Fact(START + second * 1_000L, dataset, weight, Way.MESSAGE_WITHOUT_ID));
    return this;
  }

  private Canonical refuse(int from, int to) {
    refusal = new Refusal(START + from * 1_000L, START + to * 1_000L);
    return this;
  }

  private Scenario scenario() {
    long struckTo = START + STRUCK_FOR + (outage == null ? 0 : OUT_FOR);
    return new Scenario(
        START,
        struckTo,
        struckTo + REPAIR + (limit == 0 ? 60_000 : QUEUE),
        REPAIR,
        START + 7_000,
        scripts,
        facts,
        limit,
        refusal,
        reports,
        calendar,
        outage,
        deployments.isEmpty() ? List.of() : List.of(deployments));
  }
}
