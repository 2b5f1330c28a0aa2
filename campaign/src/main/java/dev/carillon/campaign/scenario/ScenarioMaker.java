package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.Chance;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Waits;
import dev.carillon.campaign.judge.Waits.Pending;
import dev.carillon.campaign.judge.Wish;
import dev.carillon.campaign.judge.Wish.At;
import dev.carillon.campaign.judge.Wish.Cron;
import dev.carillon.campaign.judge.Wish.Join;
import dev.carillon.campaign.judge.Wish.Leaf;
import dev.carillon.campaign.judge.Wish.Partitions;
import dev.carillon.campaign.judge.Wish.Rate;
import dev.carillon.campaign.scenario.Scenario.Fact;
import dev.carillon.campaign.scenario.Scenario.Refusal;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.Wanted;
import dev.carillon.campaign.scenario.Scenario.Way;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes up scenarios: few schedules, some minutes, everything at awkward moments. */
public final class ScenarioMaker {

  /** What the longest message delay, a visibility time-out, a lease and a tick take, rounded up. */
  static final long REPAIR = 360_000;

  private static final long DAY = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
  private static final List<String> DATASETS = List.of("d", "e");
  private static final int SECOND = 1_000;
  private static final int MINUTE = 60_000;

  private final Chance chance;
  private final Chance waits;
  private final long start;
  private final long faultsTo;
  private final List<List<Wanted>> scripts = new ArrayList<>();
  private int versions;
  private final int limit;
  private boolean isActive;

  public ScenarioMaker(Chance chance) {
    this.chance = chance;
    this.start = DAY + chance.between(0, 23 * 60) * MINUTE + chance.below(MINUTE);
    this.waits = new Chance(start);
    this.faultsTo = start + chance.between(90, 220) * SECOND;
    this.limit = chance.of(0, 0, 0, 1, 2);
  }

  public Scenario make() {
    int schedules = chance.of(1, 1, 2, 2, 3);
    for (int i = 0; i < schedules; i++) {
      addSchedule("s" + i);
    }
    boolean isLong = chance.oneIn(4) || limit > 0;
    return new Scenario(
        start,
        faultsTo,
        faultsTo + (isLong ? 16L : 8L) * MINUTE,
        REPAIR,
        start + chance.below(MINUTE),
        scripts,
        facts(),
        limit,
        refusal(),
        reports());
  }

  /** The last one opens the gauge for good. */
  private List<Report> reports() {
    if (!chance.oneIn(3)) {
      return List.of();
    }
    List<Report> reports = new ArrayList<>();
    for (long i = chance.between(1, 4); i > 0; i--) {
      Integer value = chance.oneIn(6) ? null : chance.of(9, 9, 10, 11);
      long ttl = chance.oneIn(3) ? chance.between(3, 60) * SECOND : 0;
      reports.add(new Report(awkward(start), value, ttl));
    }
    reports.sort(Comparator.comparingLong(Report::at));
    reports.add(new Report(faultsTo, Scenario.OPEN, 0));
    return reports;
  }

  private void addSchedule(String name) {
    List<Wanted> life = new ArrayList<>();
    long at = start + chance.between(0, 15 * SECOND);
    Wish wish = put(name, at, life);
    int changes = chance.of(0, 0, 1, 1, 2, 3);
    for (int i = 0; i < changes && at < faultsTo; i++) {
      at = awkward(at);
      Wish next = change(name, at, wish, life);
      at = life.get(life.size() - 1).at();
      wish = next;
    }
    scripts.add(life);
    List<Wanted> beside = new ArrayList<>();
    for (int i = chance.of(0, 0, 0, 1, 2); i > 0; i--) {
      Kind kind = chance.of(Kind.LAUNCH, Kind.SKIP);
      beside.add(new Wanted(name, kind, awkward(start + 5 * SECOND), null));
    }
    beside.sort(Comparator.comparingLong(Wanted::at));
    if (!beside.isEmpty()) {
      scripts.add(beside);
    }
  }

  private Wish change(String name, long at, Wish wish, List<Wanted> life) {
    switch (chance.below(5)) {
      case 0 -> {
        if (isActive && wish.leaves().stream().noneMatch(At.class::isInstance)) {
          life.add(new Wanted(name, Kind.LABEL, at, wish));
        }
      }
      case 1, 2 -> {
        suspend(name, at, life);
        isActive = false;
        if (chance.oneIn(4)) {
          at += chance.between(0, 40 * SECOND);
          suspend(name, at, life);
        }
        if (!chance.oneIn(7)) {
          life.add(new Wanted(name, Kind.RESUME, at + chance.between(0, 40 * SECOND), null));
        }
      }
      case 3 -> {
        life.add(new Wanted(name, Kind.DELETE, at, null));
        isActive = false;
        if (!chance.oneIn(3)) {
          return put(name, at + chance.between(0, 20 * SECOND), life);
        }
      }
      default -> {
        return put(name, at, life);
      }
    }
    return wish;
  }

  /** In any mode; some end by themselves, near a fire as often as not. */
  private void suspend(String name, long at, List<Wanted> life) {
    Mode mode = chance.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
    long until = chance.oneIn(3) ? awkward(at + 20 * SECOND) : History.NEVER;
    life.add(Wanted.suspend(name, at, mode, until));
  }

  private Wish put(String name, long at, List<Wanted> life) {
    Wish any = wish(at);
    Wish wish = (waits.oneIn(3) ? waiting(any) : any).limited(limit);
    life.add(new Wanted(name, Kind.PUT, at, wish));
    isActive = true;
    return wish;
  }

  /** Near a full half minute, where fires are, or at any time. */
  private long awkward(long after) {
    long any = after + chance.between(0, Math.max(SECOND, faultsTo - after));
    return chance.oneIn(2)
        ? any
        : Math.max(after, any / (30 * SECOND) * (30 * SECOND) + chance.between(-1_500, 1_500));
  }

  private Wish wish(long now) {
    int version = ++versions;
    return switch (chance.below(10)) {
      case 0, 1 -> new Wish(version, Join.ANY, List.of(cron(now)), false);
      case 2 ->
          new Wish(
              version,
              Join.ANY,
              List.of(new Rate(chance.between(30, 90) * SECOND, start - chance.below(MINUTE))),
              false);
      case 3 -> new Wish(version, Join.ANY, List.of(cron(now), cron(now)), false);
      case 4 -> new Wish(version, Join.ANY, List.of(at(now)), chance.oneIn(2));
      case 5, 6 -> new Wish(version, Join.ANY, List.of(partitions(chance.of(DATASETS))), false);
      case 7 -> new Wish(version, Join.ALL, List.of(partitions("d"), partitions("e")), false);
      case 8 ->
          new Wish(version, Join.ANY, List.of(cron(now), partitions(chance.of(DATASETS))), false);
      default ->
          new Wish(version, Join.ALL, List.of(cron(now), partitions(chance.of(DATASETS))), false);
    };
  }

  /** A document like this whose jobs wait, for their trigger or for a delay. */
  private Wish waiting(Wish any) {
    if (!any.isPlain() && any.hasTimes()) {
      return any;
    }
    boolean launches = waits.oneIn(2);
    Pending pending = waits.of(Pending.values());
    long timeout = waits.oneIn(4) ? 0 : waits.between(15, 60) * SECOND;
    long longest = timeout == 0 || launches ? 25 * SECOND : timeout;
    long delay = waits.oneIn(3) ? 0 : waits.between(1, Math.min(longest, 25 * SECOND) / SECOND);
    Waits how = new Waits(delay * SECOND, timeout, launches, pending);
    boolean isCrowded = any.isPlain() && !any.deletesItself() && pending != Pending.QUEUE;
    List<Leaf> leaves =
        isCrowded ? List.of(new Cron(waits.of("0/10", "0/20") + " * * * * ?")) : any.leaves();
    return new Wish(any.version(), any.join(), leaves, any.deletesItself()).waiting(how);
  }

  private static long ofDay(long now, int unit, int size) {
    return Math.floorMod(now / unit, (long) size);
  }

  private Leaf cron(long now) {
    int second = chance.of(0, 0, 30, chance.below(60));
    String expression =
        switch (chance.below(7)) {
          case 0 -> "0/30 * * * * ?";
          case 1 -> second + " " + ofDay(now, MINUTE, 60) % 3 + "/3 * * * ?";
          case 2 -> {
            long soon = now + chance.between(1, 4) * MINUTE;
            yield "%d %d %d * * ?"
                .formatted(second, ofDay(soon, MINUTE, 60), ofDay(soon, 60 * MINUTE, 24));
          }
          case 3 -> {
            long next = now + chance.between(1, 5) * SECOND;
            yield "%d * * * * ?".formatted(ofDay(next, SECOND, 60));
          }
          default -> second + " * * * * ?";
        };
    return new Cron(expression);
  }

  private Leaf at(long now) {
    long any = now + chance.between(20 * SECOND, 150 * SECOND);
    return new At(chance.oneIn(2) ? any : any / SECOND * SECOND);
  }

  private Leaf partitions(String dataset) {
    return new Partitions(dataset, chance.between(1, 3));
  }

  private List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    for (int i = chance.below(10); i > 0; i--) {
      long at = chance.oneIn(6) ? faultsTo + 60 * SECOND : start + 5 * SECOND;
      facts.add(
          new Fact(
              awkward(at),
              chance.of(DATASETS),
              chance.of(1, 1, 1, 2, 4),
              chance.of(Way.MESSAGE, Way.MESSAGE, Way.MESSAGE_WITHOUT_ID, Way.API)));
    }
    if (chance.oneIn(20)) {
      facts.add(new Fact(awkward(start), "d", 1, Way.MALFORMED));
    }
    return facts;
  }

  private @Nullable Refusal refusal() {
    if (!chance.oneIn(5)) {
      return null;
    }
    long from = start + chance.between(0, 90 * SECOND);
    return new Refusal(from, Math.min(faultsTo, from + chance.between(1, 90) * SECOND));
  }
}
