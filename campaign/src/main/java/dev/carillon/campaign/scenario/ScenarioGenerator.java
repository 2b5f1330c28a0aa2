package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.At;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.ScheduleSpec.Rate;
import dev.carillon.campaign.judge.WaitPolicy;
import dev.carillon.campaign.judge.WaitPolicy.Pending;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.Refusal;
import dev.carillon.campaign.scenario.Scenario.Report;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates random scenarios: few schedules over some minutes, with actions at critical instants.
 */
public final class ScenarioGenerator {

  /**
   * The longest time that a repair takes: the sum of the longest message delay, a visibility
   * time-out, a lease and a tick, rounded up.
   */
  static final long REPAIR = 360_000;

  private static final long DAY = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();
  private static final List<String> DATASETS = List.of("d", "e");
  private static final int SECOND = 1_000;
  private static final int MINUTE = 60_000;

  private final SeededRandom random;
  private final SeededRandom waits;
  private final long start;
  private final long faultsTo;
  private final List<List<UserAction>> scripts = new ArrayList<>();
  private int versions;
  private final int limit;
  private boolean isActive;

  public ScenarioGenerator(SeededRandom random) {
    this(random, History.NEVER);
  }

  /**
   * @param start when the scenario starts; {@link History#NEVER} for a random instant
   */
  ScenarioGenerator(SeededRandom random, long start) {
    this.random = random;
    long any = DAY + random.between(0, 23 * 60) * MINUTE + random.below(MINUTE);
    this.start = start == History.NEVER ? any : start;
    this.waits = new SeededRandom(this.start);
    this.faultsTo = this.start + random.between(90, 220) * SECOND;
    this.limit = random.of(0, 0, 0, 1, 2);
  }

  public Scenario make() {
    int schedules = random.of(1, 1, 2, 2, 3);
    for (int i = 0; i < schedules; i++) {
      addSchedule("s" + i);
    }
    boolean isLong = random.oneIn(4) || limit > 0;
    return new Scenario(
        start,
        faultsTo,
        faultsTo + (isLong ? 16L : 8L) * MINUTE,
        REPAIR,
        start + random.below(MINUTE),
        scripts,
        producedEvents(),
        limit,
        refusal(),
        reports());
  }

  /** Reports on the gauge; the last one opens it permanently. */
  private List<Report> reports() {
    if (!random.oneIn(3)) {
      return List.of();
    }
    List<Report> reports = new ArrayList<>();
    for (long i = random.between(1, 4); i > 0; i--) {
      Integer value = random.oneIn(6) ? null : random.of(9, 9, 10, 11);
      long ttl = random.oneIn(3) ? random.between(3, 60) * SECOND : 0;
      reports.add(new Report(boundaryOrAny(start), value, ttl));
    }
    reports.sort(Comparator.comparingLong(Report::at));
    reports.add(new Report(faultsTo, Scenario.OPEN, 0));
    return reports;
  }

  private void addSchedule(String name) {
    List<UserAction> life = new ArrayList<>();
    long at = start + random.between(0, 15 * SECOND);
    ScheduleSpec spec = put(name, at, life);
    int changes = random.of(0, 0, 1, 1, 2, 3);
    for (int i = 0; i < changes && at < faultsTo; i++) {
      at = boundaryOrAny(at);
      ScheduleSpec next = change(name, at, spec, life);
      at = life.get(life.size() - 1).at();
      spec = next;
    }
    scripts.add(life);
    List<UserAction> beside = new ArrayList<>();
    for (int i = random.of(0, 0, 0, 1, 2); i > 0; i--) {
      Kind kind = random.of(Kind.LAUNCH, Kind.SKIP);
      beside.add(new UserAction(name, kind, boundaryOrAny(start + 5 * SECOND), null));
    }
    beside.sort(Comparator.comparingLong(UserAction::at));
    if (!beside.isEmpty()) {
      scripts.add(beside);
    }
  }

  private ScheduleSpec change(String name, long at, ScheduleSpec spec, List<UserAction> life) {
    switch (random.below(5)) {
      case 0 -> {
        if (isActive && spec.leaves().stream().noneMatch(At.class::isInstance)) {
          life.add(new UserAction(name, Kind.LABEL, at, spec));
        }
      }
      case 1, 2 -> {
        suspend(name, at, life);
        isActive = false;
        if (random.oneIn(4)) {
          at += random.between(0, 40 * SECOND);
          suspend(name, at, life);
        }
        if (!random.oneIn(7)) {
          life.add(new UserAction(name, Kind.RESUME, at + random.between(0, 40 * SECOND), null));
        }
      }
      case 3 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        isActive = false;
        if (!random.oneIn(3)) {
          return put(name, at + random.between(0, 20 * SECOND), life);
        }
      }
      default -> {
        return put(name, at, life);
      }
    }
    return spec;
  }

  /**
   * Suspends the schedule in a random mode. Some suspensions have an end, half of these near a
   * fire.
   */
  private void suspend(String name, long at, List<UserAction> life) {
    Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
    long until = random.oneIn(3) ? boundaryOrAny(at + 20 * SECOND) : History.NEVER;
    life.add(UserAction.suspend(name, at, mode, until));
  }

  private ScheduleSpec put(String name, long at, List<UserAction> life) {
    ScheduleSpec any = spec(at);
    ScheduleSpec spec = (waits.oneIn(3) ? waiting(any) : any).withLimit(limit);
    life.add(new UserAction(name, Kind.PUT, at, spec));
    isActive = true;
    return spec;
  }

  /** Any instant, or an instant near a full half minute, when fires are due. */
  private long boundaryOrAny(long after) {
    long any = after + random.between(0, Math.max(SECOND, faultsTo - after));
    return random.oneIn(2)
        ? any
        : Math.max(after, any / (30 * SECOND) * (30 * SECOND) + random.between(-1_500, 1_500));
  }

  private ScheduleSpec spec(long now) {
    int version = ++versions;
    return switch (random.below(10)) {
      case 0, 1 -> new ScheduleSpec(version, Join.ANY, List.of(cron(now)), false);
      case 2 ->
          new ScheduleSpec(
              version,
              Join.ANY,
              List.of(new Rate(random.between(30, 90) * SECOND, start - random.below(MINUTE))),
              false);
      case 3 -> new ScheduleSpec(version, Join.ANY, List.of(cron(now), cron(now)), false);
      case 4 -> new ScheduleSpec(version, Join.ANY, List.of(at(now)), random.oneIn(2));
      case 5, 6 ->
          new ScheduleSpec(version, Join.ANY, List.of(partitions(random.of(DATASETS))), false);
      case 7 ->
          new ScheduleSpec(version, Join.ALL, List.of(partitions("d"), partitions("e")), false);
      case 8 ->
          new ScheduleSpec(
              version, Join.ANY, List.of(cron(now), partitions(random.of(DATASETS))), false);
      default ->
          new ScheduleSpec(
              version, Join.ALL, List.of(cron(now), partitions(random.of(DATASETS))), false);
    };
  }

  /** This document with waiting jobs: their trigger times out, or they have a delay. */
  private ScheduleSpec waiting(ScheduleSpec any) {
    if (!any.isPlain() && any.hasTimes()) {
      return any;
    }
    boolean launches = waits.oneIn(2);
    Pending pending = waits.of(Pending.values());
    long timeout = waits.oneIn(4) ? 0 : waits.between(15, 60) * SECOND;
    long longest = timeout == 0 || launches ? 25 * SECOND : timeout;
    long delay = waits.oneIn(3) ? 0 : waits.between(1, Math.min(longest, 25 * SECOND) / SECOND);
    WaitPolicy how = new WaitPolicy(delay * SECOND, timeout, launches, pending);
    boolean isCrowded = any.isPlain() && !any.deletesItself() && pending != Pending.QUEUE;
    List<Leaf> leaves =
        isCrowded ? List.of(new Cron(waits.of("0/10", "0/20") + " * * * * ?")) : any.leaves();
    return new ScheduleSpec(any.version(), any.join(), leaves, any.deletesItself()).withWaits(how);
  }

  private static long ofDay(long now, int unit, int size) {
    return Math.floorMod(now / unit, (long) size);
  }

  private Leaf cron(long now) {
    int second = random.of(0, 0, 30, random.below(60));
    String expression =
        switch (random.below(7)) {
          case 0 -> "0/30 * * * * ?";
          case 1 -> second + " " + ofDay(now, MINUTE, 60) % 3 + "/3 * * * ?";
          case 2 -> {
            long soon = now + random.between(1, 4) * MINUTE;
            yield "%d %d %d * * ?"
                .formatted(second, ofDay(soon, MINUTE, 60), ofDay(soon, 60 * MINUTE, 24));
          }
          case 3 -> {
            long next = now + random.between(1, 5) * SECOND;
            yield "%d * * * * ?".formatted(ofDay(next, SECOND, 60));
          }
          default -> second + " * * * * ?";
        };
    return new Cron(expression);
  }

  private Leaf at(long now) {
    long any = now + random.between(20 * SECOND, 150 * SECOND);
    return new At(random.oneIn(2) ? any : any / SECOND * SECOND);
  }

  private Leaf partitions(String dataset) {
    return new Partitions(dataset, random.between(1, 3));
  }

  private List<ProducedEvent> producedEvents() {
    List<ProducedEvent> producedEvents = new ArrayList<>();
    for (int i = random.below(10); i > 0; i--) {
      long at = random.oneIn(6) ? faultsTo + 60 * SECOND : start + 5 * SECOND;
      producedEvents.add(
          new ProducedEvent(
              boundaryOrAny(at),
              random.of(DATASETS),
              random.of(1, 1, 1, 2, 4),
              random.of(
                  Channel.MESSAGE, Channel.MESSAGE, Channel.MESSAGE_WITHOUT_ID, Channel.API)));
    }
    if (random.oneIn(20)) {
      producedEvents.add(new ProducedEvent(boundaryOrAny(start), "d", 1, Channel.MALFORMED));
    }
    return producedEvents;
  }

  private @Nullable Refusal refusal() {
    if (!random.oneIn(5)) {
      return null;
    }
    long from = start + random.between(0, 90 * SECOND);
    return new Refusal(from, Math.min(faultsTo, from + random.between(1, 90) * SECOND));
  }
}
