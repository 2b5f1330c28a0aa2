package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.Limits.Limit;
import dev.carillon.campaign.judge.Limits.RunLimit;
import dev.carillon.campaign.judge.PoolSpec;
import dev.carillon.campaign.scenario.Scenario.PoolChange;
import dev.carillon.campaign.scenario.Scenario.ProducedEvent;
import dev.carillon.campaign.scenario.Scenario.UserAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds a pool to about one in six of the scenarios that have neither a pool nor an outage. Workers
 * pull from most of these pools, and some pools have many jobs of customers with weights. In some
 * scenarios, the gauge or a limit on runs holds jobs back before they enter the pool. The class has
 * random numbers of its own, so it does not change the other episodes.
 */
public final class PullScenarios {

  private static final String PROGRAM = "pulled";

  /** Distinguishes the random numbers of pulls from others. */
  private static final long PULLS = 0x70_756c_6c65_6473L;

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int QUIET = 18 * MINUTE;
  private static final int FIRST_VERSION = 60_000;

  private final SeededRandom random;
  private final PooledCustomers customers;

  /** The kinds of pools; a pool keeps its kind throughout an episode. */
  private enum Shape {
    EQUAL,
    LIMITED,
    FIFO,
    /** Customers with weights, with many jobs at the same time. */
    RUSH,
    /** Like {@link #RUSH}; each customer has a limit, too. */
    LIMITED_RUSH;

    boolean isRush() {
      return this == RUSH || this == LIMITED_RUSH;
    }
  }

  public PullScenarios(long seed) {
    this.random = new SeededRandom(seed ^ PULLS);
    this.customers = new PooledCustomers(random, "pulled-", PROGRAM, FIRST_VERSION);
  }

  public Scenario addTo(Scenario scenario) {
    boolean isOther = scenario.outage() != null || !scenario.pool().isEmpty();
    if (!random.oneIn(6) || isOther) {
      return scenario;
    }
    Shape shape = random.of(Shape.values());
    boolean isPulled = !random.oneIn(4);
    boolean hasQueue = !isPulled || random.oneIn(2);
    List<Limit> limits =
        !shape.isRush() && random.oneIn(4)
            ? List.of(new RunLimit(random.of(1, 2, 4), "", false))
            : List.of();
    List<List<UserAction>> scripts = new ArrayList<>();
    List<ProducedEvent> events = new ArrayList<>();
    int number = random.of(2, 3, 3, 4);
    long rush = scenario.start() + random.between(8, 40) * SECOND;
    for (int i = 0; i < number; i++) {
      String name = PooledCustomers.name(i);
      if (shape.isRush()) {
        customers.addBusy(name, rush, random.of(12, 20, 30), scenario, scripts, events);
      } else {
        customers.add(name, limits, scenario, scripts, events);
      }
    }
    WorkerPlan plan =
        scenario.workers().equals(WorkerPlan.NONE)
            ? new WorkerPlan(random.any(), List.of(), List.of(), true)
            : scenario.workers();
    PullPlan pulls = isPulled ? new PullPlan(random.of(1, 2, 3), List.of(), true) : PullPlan.NONE;
    return scenario
        .withEvents(scripts, events)
        .lasting(QUIET)
        .pooling(changes(shape, number, hasQueue, scenario))
        .with(plan.pulling(pulls));
  }

  private List<PoolChange> changes(Shape shape, int number, boolean hasQueue, Scenario scenario) {
    List<PoolChange> changes = new ArrayList<>();
    changes.add(new PoolChange(scenario.start(), definition(shape, number, hasQueue, 8)));
    long until = scenario.faultsTo() + 2 * MINUTE;
    for (int i = shape.isRush() ? random.of(0, 0, 1) : random.of(0, 1, 2, 4); i > 0; i--) {
      long at = scenario.start() + random.between(10 * SECOND, until - scenario.start());
      changes.add(new PoolChange(at, definition(shape, number, hasQueue, 3)));
    }
    changes.sort(Comparator.comparingLong(PoolChange::at));
    if (changes.get(changes.size() - 1).definition().isPaused()) {
      PoolSpec last = definition(shape, number, hasQueue, 0);
      changes.add(new PoolChange(until, last));
    }
    return changes;
  }

  /**
   * @param pause one of this many definitions is paused; 0 if none is paused
   */
  private PoolSpec definition(Shape shape, int number, boolean hasQueue, int pause) {
    boolean isFifo = shape == Shape.FIFO && random.oneIn(2);
    return new PoolSpec(
        hasQueue,
        shape.isRush() ? random.of(2, 3, 5) : random.of(1, 1, 2, 3, 20),
        isFifo,
        shape.isRush() ? Map.of("a", random.of(2, 3, 4), "b", random.of(1, 2)) : Map.of(),
        limits(shape, number),
        pause > 0 && random.oneIn(pause));
  }

  /** Draws limits. The same customers have a limit in each definition. */
  private Map<String, Integer> limits(Shape shape, int number) {
    Map<String, Integer> limits = new TreeMap<>();
    if (shape == Shape.LIMITED_RUSH) {
      limits.put(PoolSpec.DEFAULT, random.of(2, 4, 8));
    }
    if (shape != Shape.LIMITED) {
      return limits;
    }
    limits.put("a", random.of(1, 1, 2, 3));
    if (number > 3) {
      limits.put("b", random.of(1, 2, 4));
    }
    return limits;
  }
}
