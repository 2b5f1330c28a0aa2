package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.Tracking;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.List;

/** Draws customers of a pool: each has a schedule, whose jobs come in bursts. */
final class PooledCustomers {

  /** Whether the jobs of a schedule wait in the pool. */
  static boolean isPooled(String schedule) {
    return schedule.startsWith("pooled-") || schedule.startsWith("pulled-");
  }

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int URGENT = 2;
  private static final int USUAL = 5;

  private final SeededRandom random;
  private final String prefix;
  private final String program;
  private int versions;

  /**
   * @param prefix the prefix of the names of their schedules
   * @param versions the version before the first version of their documents
   */
  PooledCustomers(SeededRandom random, String prefix, String program, int versions) {
    this.random = random;
    this.prefix = prefix;
    this.program = program;
    this.versions = versions;
  }

  /** The name of a customer by its number from 0. */
  static String name(int number) {
    return String.valueOf((char) ('a' + number));
  }

  /** Adds a customer whose jobs come in one to three bursts. */
  void add(
      String customer,
      List<Limit> limits,
      Scenario scenario,
      List<List<UserAction>> scripts,
      List<ProducedEvent> events) {
    String name = prefix + customer;
    int priority = random.oneIn(5) ? URGENT : USUAL;
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 5 * SECOND);
    life.add(put(name, at, customer, priority, limits));
    if (random.oneIn(4)) {
      long when = any(at + 10 * SECOND, scenario.faultsTo());
      change(life, when, customer, priority, limits);
    }
    scripts.add(life);
    for (int burst = random.of(1, 1, 2, 3); burst > 0; burst--) {
      long from = any(scenario.start() + 8 * SECOND, scenario.faultsTo() + MINUTE);
      addJobs(name, from, random.of(1, 3, 6, 10), events);
    }
  }

  /** Adds a customer that has many jobs from one instant on. */
  void addBusy(
      String customer,
      long from,
      int jobs,
      Scenario scenario,
      List<List<UserAction>> scripts,
      List<ProducedEvent> events) {
    String name = prefix + customer;
    scripts.add(List.of(put(name, scenario.start(), customer, USUAL, List.of())));
    addJobs(name, from, jobs, events);
  }

  private void addJobs(String name, long from, int jobs, List<ProducedEvent> events) {
    for (int i = jobs; i > 0; i--) {
      long when = from + random.between(0, 5 * SECOND);
      events.add(new ProducedEvent(when, name, 1, Channel.MESSAGE));
    }
  }

  private void change(
      List<UserAction> life, long at, String customer, int priority, List<Limit> limits) {
    String name = life.get(0).schedule();
    switch (random.below(3)) {
      case 0 -> life.add(new UserAction(name, Kind.DELETE, at, null));
      case 1 -> life.add(put(name, at, customer, priority, limits));
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        long later = at + random.between(0, 40 * SECOND);
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
  }

  private UserAction put(String name, long at, String customer, int priority, List<Limit> limits) {
    List<Limit> all = new ArrayList<>(List.of(new InPool(customer, priority)));
    all.addAll(limits);
    ScheduleSpec spec =
        new ScheduleSpec(++versions, Join.ANY, List.of(new Partitions(name, 1)), false);
    Limits place = new Limits(program, Ends.NONE, all);
    return new UserAction(name, Kind.PUT, at, spec.limitedBy(place).trackedBy(tracking()));
  }

  private Tracking tracking() {
    return new Tracking(
        MINUTE,
        10 * SECOND,
        8 * SECOND,
        random.between(20, 40) * SECOND,
        random.of(1, 2, 3),
        2 * SECOND,
        2,
        5 * SECOND);
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
