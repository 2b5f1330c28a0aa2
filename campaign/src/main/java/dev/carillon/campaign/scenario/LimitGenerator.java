package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Leaf;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Adds schedules of programs with limits to some scenarios. They fire at the same seconds, so that
 * their jobs wait for the same limits. In the long run, each limit lets more jobs through than
 * these schedules have.
 */
final class LimitGenerator {

  private static final int SECOND = 1_000;
  private static final int HALF_MINUTE = 30 * SECOND;

  /** The quiet time after the faults, in which waiting jobs are launched. */
  private static final int QUIET = 16 * 60 * SECOND;

  private static final String GROUP = "g";

  private final SeededRandom random;
  private final Scenario scenario;
  private int versions = 10_000;

  LimitGenerator(SeededRandom random, Scenario scenario) {
    this.random = random;
    this.scenario = scenario;
  }

  Scenario make() {
    if (!random.oneIn(4) || scenario.outage() != null) {
      return scenario;
    }
    List<List<UserAction>> scripts = new ArrayList<>();
    RateLimit common = rate();
    int programs = random.of(1, 1, 2);
    int schedules = random.of(2, 2, 3);
    for (int i = 0; i < schedules; i++) {
      boolean isFree = i > 0 && random.oneIn(4);
      List<Limit> all = isFree ? List.of() : List.of(random.oneIn(3) ? rate() : common);
      Limits limits = new Limits("p" + i % programs, Ends.NONE, all);
      addSchedule("l" + i, limits, scripts);
    }
    return scenario.with(scripts).lasting(QUIET);
  }

  private RateLimit rate() {
    int max = random.of(1, 1, 2, 3);
    String group = random.oneIn(2) ? GROUP : "";
    return new RateLimit(max, max * random.between(2, 6) * SECOND, group, false);
  }

  private void addSchedule(String name, Limits limits, List<List<UserAction>> scripts) {
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 15 * SECOND);
    ScheduleSpec spec = spec(limits);
    life.add(new UserAction(name, Kind.PUT, at, spec));
    if (random.oneIn(3)) {
      change(name, spec, boundaryOrAny(at), life);
    }
    scripts.add(life);
    List<UserAction> beside = new ArrayList<>();
    for (int i = random.of(0, 0, 1, 2); i > 0; i--) {
      long launch = boundaryOrAny(scenario.start() + 5 * SECOND);
      beside.add(new UserAction(name, Kind.LAUNCH, launch, null));
    }
    beside.sort(Comparator.comparingLong(UserAction::at));
    if (!beside.isEmpty()) {
      scripts.add(beside);
    }
  }

  private void change(String name, ScheduleSpec spec, long at, List<UserAction> life) {
    switch (random.below(4)) {
      case 0 -> life.add(new UserAction(name, Kind.PUT, at, spec(spec.limits())));
      case 1 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        long again = at + random.between(0, 20 * SECOND);
        life.add(new UserAction(name, Kind.PUT, again, spec(spec.limits())));
      }
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        long later = at + random.between(0, 60 * SECOND);
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
  }

  private ScheduleSpec spec(Limits limits) {
    Leaf leaf =
        switch (random.below(6)) {
          case 0 -> new Cron("0/30 * * * * ?");
          case 1 -> new Partitions(random.of("d", "e"), 1);
          default -> new Cron("0 * * * * ?");
        };
    return new ScheduleSpec(++versions, Join.ANY, List.of(leaf), false).limitedBy(limits);
  }

  /** Any instant, or an instant near a full half minute, when fires are due. */
  private long boundaryOrAny(long after) {
    long any = after + random.between(0, Math.max(SECOND, scenario.faultsTo() - after));
    return random.oneIn(2)
        ? any
        : Math.max(after, any / HALF_MINUTE * HALF_MINUTE + random.between(-1_500, 1_500));
  }
}
