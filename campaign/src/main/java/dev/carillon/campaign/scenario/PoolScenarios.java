package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.History;
import dev.carillon.campaign.judge.History.Kind;
import dev.carillon.campaign.judge.History.Mode;
import dev.carillon.campaign.judge.Limits;
import dev.carillon.campaign.judge.Limits.Ends;
import dev.carillon.campaign.judge.Limits.InPool;
import dev.carillon.campaign.judge.PoolSpec;
import dev.carillon.campaign.judge.ScheduleSpec;
import dev.carillon.campaign.judge.ScheduleSpec.Join;
import dev.carillon.campaign.judge.ScheduleSpec.Partitions;
import dev.carillon.campaign.judge.Tracking;
import dev.carillon.campaign.scenario.Scenario.Channel;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds a pool, and customers whose jobs come in bursts and wait in it, to three of ten scenarios
 * without an outage or a gauge. The random numbers are its own, so it does not change the other
 * episodes.
 */
public final class PoolScenarios {

  private static final String PREFIX = "pooled-";
  private static final String PROGRAM = "pooled";

  /** Sets the random numbers apart. */
  private static final long POOLS = 0x70_6f6f_6c73L;

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int QUIET = 18 * MINUTE;
  private static final int FIRST_VERSION = 50_000;
  private static final int URGENT = 2;
  private static final int USUAL = 5;

  private final SeededRandom random;
  private int versions = FIRST_VERSION;

  /** What a pool does throughout an episode. */
  private enum Shape {
    EQUAL,
    WEIGHTED,
    LIMITED,
    FIFO
  }

  public PoolScenarios(long seed) {
    this.random = new SeededRandom(seed ^ POOLS);
  }

  public Scenario addTo(Scenario scenario) {
    boolean isOther = scenario.outage() != null || !scenario.reports().isEmpty();
    if (!draws() || isOther) {
      return scenario;
    }
    Shape shape = random.of(Shape.EQUAL, Shape.WEIGHTED, Shape.LIMITED, Shape.LIMITED, Shape.FIFO);
    List<List<UserAction>> scripts = new ArrayList<>();
    List<ProducedEvent> events = new ArrayList<>();
    int customers = random.of(2, 3, 3, 4, 5);
    for (int i = 0; i < customers; i++) {
      addCustomer(String.valueOf((char) ('a' + i)), scenario, scripts, events);
    }
    Scenario pooled = scenario.withEvents(scripts, events).lasting(QUIET);
    Scenario changing = pooled.pooling(changes(shape, customers, scenario));
    return scenario.workers().equals(WorkerPlan.NONE)
        ? changing.with(new WorkerPlan(random.any(), List.of(), List.of(), true))
        : changing;
  }

  /** Draws whether an episode can have a pool. */
  public boolean draws() {
    return random.below(10) < 3;
  }

  // ---- the pool

  private List<PoolChange> changes(Shape shape, int customers, Scenario scenario) {
    List<PoolChange> changes = new ArrayList<>();
    changes.add(new PoolChange(scenario.start(), definition(shape, customers, random.oneIn(6))));
    long until = scenario.faultsTo() + 2 * MINUTE;
    for (int i = random.of(0, 1, 2, 3, 4); i > 0; i--) {
      long at = any(scenario.start() + 10 * SECOND, until);
      changes.add(new PoolChange(at, definition(shape, customers, random.oneIn(4))));
    }
    changes.sort(Comparator.comparingLong(PoolChange::at));
    if (changes.get(changes.size() - 1).definition().isPaused()) {
      changes.add(new PoolChange(until, definition(shape, customers, false)));
    }
    return changes;
  }

  private PoolSpec definition(Shape shape, int customers, boolean isPaused) {
    boolean isFifo = shape == Shape.FIFO && random.oneIn(2);
    return new PoolSpec(
        random.of(1, 1, 2, 3, 5, 20),
        isFifo,
        shape == Shape.WEIGHTED ? weights() : Map.of(),
        shape == Shape.LIMITED ? limits(customers) : Map.of(),
        isPaused);
  }

  private Map<String, Integer> weights() {
    return Map.of("a", (int) random.between(2, 4), "b", random.of(1, 2, 3));
  }

  /** The same customers have a limit in each definition. */
  private Map<String, Integer> limits(int customers) {
    Map<String, Integer> limits = new LinkedHashMap<>();
    limits.put("a", random.of(1, 1, 2, 3));
    if (customers > 3) {
      limits.put("b", random.of(1, 2, 4));
    }
    return limits;
  }

  // ---- its customers

  private void addCustomer(
      String customer,
      Scenario scenario,
      List<List<UserAction>> scripts,
      List<ProducedEvent> events) {
    String name = PREFIX + customer;
    int priority = random.oneIn(5) ? URGENT : USUAL;
    List<UserAction> life = new ArrayList<>();
    long at = scenario.start() + random.between(0, 5 * SECOND);
    life.add(put(name, at, customer, priority));
    if (random.oneIn(4)) {
      change(life, any(at + 10 * SECOND, scenario.faultsTo()), customer, priority);
    }
    scripts.add(life);
    for (int burst = random.of(1, 1, 2, 3); burst > 0; burst--) {
      long from = any(scenario.start() + 8 * SECOND, scenario.faultsTo() + MINUTE);
      for (int i = random.of(1, 3, 6, 10); i > 0; i--) {
        long when = from + random.between(0, 5 * SECOND);
        events.add(new ProducedEvent(when, name, 1, Channel.MESSAGE));
      }
    }
  }

  private void change(List<UserAction> life, long at, String customer, int priority) {
    String name = life.get(0).schedule();
    switch (random.below(3)) {
      case 0 -> life.add(new UserAction(name, Kind.DELETE, at, null));
      case 1 -> life.add(put(name, at, customer, priority));
      default -> {
        Mode mode = random.of(Mode.DISCARD, Mode.DRAIN, Mode.BACKLOG, Mode.HOLD);
        life.add(UserAction.suspend(name, at, mode, History.NEVER));
        long later = at + random.between(0, 40 * SECOND);
        life.add(new UserAction(name, Kind.RESUME, later, null));
      }
    }
  }

  private UserAction put(String name, long at, String customer, int priority) {
    Limits place = new Limits(PROGRAM, Ends.NONE, List.of(new InPool(customer, priority)));
    ScheduleSpec spec =
        new ScheduleSpec(++versions, Join.ANY, List.of(new Partitions(name, 1)), false);
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
