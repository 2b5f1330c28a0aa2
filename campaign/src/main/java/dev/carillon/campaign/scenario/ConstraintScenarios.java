package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.Pause;
import dev.carillon.campaign.judge.Limits.RateLimit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.Limits.Window;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Cron;
import dev.carillon.campaign.judge.ScheduleSpec.Fifo;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Adds two or three schedules of one program to some scenarios. They have windows and limits, and
 * workers report the ends of their runs, with or without naming the run. Half of the constraints
 * end a job instead of letting it wait. It has random numbers of its own, so it does not change the
 * other episodes.
 */
public final class ConstraintScenarios {

  private static final int SECOND = 1_000;

  /**
   * The longest period of a rate that lets jobs wait, in seconds. Three schedules have three jobs a
   * minute, and a change adds more, so a longer period could let the queue grow until the end.
   */
  private static final int LONGEST_PERIOD = 15;

  /** The quiet time after the faults, in which waiting jobs are launched. */
  private static final int QUIET = 16 * 60 * SECOND;

  private static final String PROGRAM = "constrained";
  private static final String GROUP = "constraints";

  /** Distinguishes the random numbers of constraints from others. */
  private static final long CONSTRAINTS = 0x63_6f6e_7374_7261L;

  private static final int FIRST_VERSION = 40_000;

  private final SeededRandom random;
  private int versions = FIRST_VERSION;

  public ConstraintScenarios(long seed) {
    this.random = new SeededRandom(seed ^ CONSTRAINTS);
  }

  public Scenario addTo(Scenario scenario) {
    if (!random.oneIn(5) || scenario.outage() != null || !scenario.reports().isEmpty()) {
      return scenario;
    }
    Ends ends = random.of(Ends.NAMED, Ends.NAMED, Ends.UNNAMED);
    List<List<UserAction>> scripts = new ArrayList<>();
    for (int i = random.of(2, 2, 3); i > 0; i--) {
      addSchedule("c" + i, new Limits(PROGRAM, ends, limits(scenario)), scenario, scripts);
    }
    return scenario.with(scripts).lasting(QUIET);
  }

  private List<Limit> limits(Scenario scenario) {
    List<Limit> limits = new ArrayList<>();
    boolean skips = random.oneIn(2);
    switch (random.below(6)) {
      case 0, 1 -> limits.add(new Pause(random.between(2, skips ? 40 : 12) * SECOND, skips));
      case 2, 3 -> limits.add(new RunLimit(random.of(1, 1, 2), random.of("", GROUP), skips));
      case 4 -> {
        long period = random.between(5, skips ? 25 : LONGEST_PERIOD);
        limits.add(new RateLimit(1, period * SECOND, "", skips));
      }
      default -> {
        // No limit is added, so there is a window alone or no constraint.
      }
    }
    if (random.oneIn(2)) {
      limits.add(window(scenario));
    }
    return limits;
  }

  /** A window that is closed for a while. A window that ends jobs may be closed all day. */
  private Window window(Scenario scenario) {
    boolean skips = random.oneIn(2);
    long closes = scenario.start() + random.between(0, 400) * SECOND;
    long opens = closes + random.between(20, 150) * SECOND;
    String zone = random.of("UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns");
    Set<DayOfWeek> days = EnumSet.allOf(DayOfWeek.class);
    if (skips && random.oneIn(3)) {
      days.remove(local(random.oneIn(2) ? closes : opens, zone).getDayOfWeek());
    }
    int from = local(opens, zone).toLocalTime().toSecondOfDay();
    int to = local(closes, zone).toLocalTime().toSecondOfDay();
    return new Window(from, to, zone, days, skips);
  }

  private static ZonedDateTime local(long instant, String zone) {
    return Instant.ofEpochMilli(instant).atZone(ZoneId.of(zone));
  }

  private void addSchedule(
      String name, Limits limits, Scenario scenario, List<List<UserAction>> scripts) {
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 10 * SECOND);
    life.add(put(name, at, limits));
    if (random.oneIn(3)) {
      change(life, any(at, scenario.faultsTo()), limits);
    }
    scripts.add(life);
    if (random.oneIn(2)) {
      long when = any(scenario.start() + 5 * SECOND, scenario.faultsTo());
      scripts.add(List.of(new UserAction(name, Kind.LAUNCH, when, null)));
    }
  }

  private void change(List<UserAction> life, long at, Limits limits) {
    String name = life.get(0).schedule();
    long later = at + random.between(0, 40 * SECOND);
    switch (random.below(4)) {
      case 0 -> life.add(put(name, at, limits));
      case 1 -> {
        life.add(new UserAction(name, Kind.DELETE, at, null));
        life.add(put(name, later, limits));
      }
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
  }

  private UserAction put(String name, long at, Limits limits) {
    Cron cron = new Cron(random.of("0", "0", "20", "40") + " * * * * ?");
    ScheduleSpec spec =
        new ScheduleSpec(++versions, Join.ANY, List.of(cron), false).limitedBy(limits);
    return new UserAction(name, Kind.PUT, at, random.oneIn(3) ? spec.toFifo(fifo(random)) : spec);
  }

  /** A FIFO queue. Its requests have one group, a group for each priority, or the default group. */
  static Fifo fifo(SeededRandom random) {
    return new Fifo(random.of("", "group", "priority-${priority}"));
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
