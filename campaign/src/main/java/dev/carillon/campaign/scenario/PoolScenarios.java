package dev.carillon.campaign.scenario;

import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.campaign.judge.PoolSpec;
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
 * without an outage or a gauge. It has random numbers of its own, so it does not change the other
 * episodes.
 */
public final class PoolScenarios {

  private static final String PREFIX = "pooled-";
  private static final String PROGRAM = "pooled";

  /** Distinguishes the random numbers of pools from others. */
  private static final long POOLS = 0x70_6f6f_6c73L;

  private static final int SECOND = 1_000;
  private static final int MINUTE = 60 * SECOND;
  private static final int QUIET = 18 * MINUTE;
  private static final int FIRST_VERSION = 50_000;

  private final SeededRandom random;
  private final PooledCustomers all;

  /** The kinds of pools; a pool keeps its kind throughout an episode. */
  private enum Shape {
    EQUAL,
    WEIGHTED,
    LIMITED,
    /** Each customer has a limit; some have weights, too. */
    ALL_LIMITED,
    FIFO
  }

  public PoolScenarios(long seed) {
    this.random = new SeededRandom(seed ^ POOLS);
    this.all = new PooledCustomers(random, PREFIX, PROGRAM, FIRST_VERSION);
  }

  public Scenario addTo(Scenario scenario) {
    boolean isOther = scenario.outage() != null || !scenario.reports().isEmpty();
    if (!draws() || isOther) {
      return scenario;
    }
    Shape shape = random.of(Shape.values());
    List<List<UserAction>> scripts = new ArrayList<>();
    List<ProducedEvent> events = new ArrayList<>();
    int customers = random.of(2, 3, 3, 4, 5);
    for (int i = 0; i < customers; i++) {
      all.add(PooledCustomers.name(i), List.of(), scenario, scripts, events);
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
        true,
        random.of(1, 1, 2, 3, 5, 20),
        isFifo,
        hasWeights(shape) ? weights() : Map.of(),
        limits(shape, customers),
        isPaused);
  }

  private boolean hasWeights(Shape shape) {
    return shape == Shape.WEIGHTED || (shape == Shape.ALL_LIMITED && random.oneIn(2));
  }

  private Map<String, Integer> weights() {
    return Map.of("a", (int) random.between(2, 4), "b", random.of(1, 2, 3));
  }

  /** Draws limits. The same customers have a limit in each definition. */
  private Map<String, Integer> limits(Shape shape, int customers) {
    Map<String, Integer> limits = new LinkedHashMap<>();
    if (shape == Shape.ALL_LIMITED) {
      limits.put(PoolSpec.DEFAULT, random.of(1, 2, 4));
    } else if (shape != Shape.LIMITED) {
      return limits;
    }
    limits.put("a", random.of(1, 1, 2, 3));
    if (customers > 3) {
      limits.put("b", random.of(1, 2, 4));
    }
    return limits;
  }

  private long any(long from, long to) {
    return from + random.between(0, Math.max(SECOND, to - from));
  }
}
