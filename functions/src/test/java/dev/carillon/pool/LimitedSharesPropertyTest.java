package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Counts the turns of customers with weights and limits while jobs come, end and fail to move, and
 * compares the counts with the definition: among the customers that wait and are below their
 * limits, each has its share.
 */
class LimitedSharesPropertyTest {

  private static final int TURNS = 250;

  /**
   * Until each customer has had two turns: a customer that was at its limit or idle is served next.
   */
  private static final double AT_FIRST = 4;

  private static final double SETTLED = 2;
  private static final double ROUNDING = 1e-6;

  private final Map<String, Double> weights = new TreeMap<>();
  private final Map<String, Integer> limits = new HashMap<>();
  private final Map<String, Integer> waiting = new TreeMap<>();
  private final Map<String, Integer> inFlight = new TreeMap<>();
  private final List<String> stretch = new ArrayList<>();
  private Set<String> able = Set.of();

  @Property(tries = 60)
  void amongCustomersBelowTheirLimitsEachHasItsShareOfEveryStretch(@ForAll long seed) {
    Random random = new Random(seed);
    clear();
    PoolPlay play = new PoolPlay().as(document(random));
    for (int turn = 0; turn < TURNS; turn++) {
      play.retry();
      arrive(play, random);
      end(play, turn, random);
      choose(play, random);
    }
    judge();
  }

  /** Customers gained turns here by being at their limits. */
  @Example
  void aCustomerGainsNothingByBeingAtItsLimit() {
    LongStream.of(2, 10, 25)
        .forEach(this::amongCustomersBelowTheirLimitsEachHasItsShareOfEveryStretch);
  }

  private void clear() {
    List.of(weights, limits, waiting, inFlight).forEach(Map::clear);
    stretch.clear();
    able = Set.of();
  }

  private String document(Random random) {
    int customers = 2 + random.nextInt(5);
    List<String> weighted = new ArrayList<>();
    List<String> limited = new ArrayList<>();
    for (int i = 0; i < customers; i++) {
      String name = Character.toString((char) ('a' + i));
      weights.put(name, 1.0);
      if (random.nextInt(3) == 0) {
        weights.put(name, (1 + random.nextInt(40)) / 10.0);
        weighted.add("\"%s\": %s".formatted(name, weights.get(name)));
      }
      if (random.nextInt(2) == 0) {
        limits.put(name, 1 + random.nextInt(3));
        limited.add("\"%s\": %d".formatted(name, limits.get(name)));
      }
    }
    if (random.nextInt(2) == 0) {
      int most = 1 + random.nextInt(4);
      weights.keySet().forEach(name -> limits.putIfAbsent(name, most));
      limited.add("\"default\": " + most);
    }
    return "{\"weights\": {%s}, \"maxInFlight\": {%s}}"
        .formatted(String.join(", ", weighted), String.join(", ", limited));
  }

  /** Most customers always have work. */
  private void arrive(PoolPlay play, Random random) {
    for (String name : weights.keySet()) {
      boolean isIdle = waiting.getOrDefault(name, 0) == 0;
      if (isIdle && random.nextInt(name.equals("a") ? 30 : 5) == 0) {
        int jobs = 1 + random.nextInt(60);
        waiting.put(name, jobs);
        play.ready(name, jobs);
      }
    }
  }

  /**
   * Most jobs end before the next choice, so most customers are below their limits. Those of one
   * customer end seldom for a while.
   */
  private void end(PoolPlay play, int turn, Random random) {
    for (String name : weights.keySet()) {
      boolean isSlow = name.equals("a") && turn % 125 < 75;
      while (inFlight.getOrDefault(name, 0) > 0
          && play.runningOf(name) > 0
          && random.nextInt(30) > (isSlow ? 20 : 0)) {
        play.end(name);
        inFlight.merge(name, -1, Integer::sum);
      }
    }
  }

  private void choose(PoolPlay play, Random random) {
    Set<String> now = new TreeSet<>(weights.keySet());
    now.removeIf(name -> waiting.getOrDefault(name, 0) == 0 || isFull(name));
    if (!now.equals(able)) {
      judge();
      stretch.clear();
      able = now;
    }
    List<String> chosen = play.choose(1, job -> random.nextInt(10) == 0);
    if (able.isEmpty()) {
      assertThat(chosen).isEmpty();
      return;
    }
    assertThat(chosen).hasSize(1);
    String customer = chosen.get(0).substring(0, 1);
    assertThat(able).contains(customer);
    waiting.merge(customer, -1, Integer::sum);
    inFlight.merge(customer, 1, Integer::sum);
    stretch.add(customer);
  }

  private boolean isFull(String name) {
    return inFlight.getOrDefault(name, 0) >= limits.getOrDefault(name, Integer.MAX_VALUE);
  }

  private void judge() {
    int settled = 0;
    while (settled < stretch.size() && !areSettled(stretch.subList(0, settled))) {
      settled++;
    }
    double sum = able.stream().mapToDouble(weights::get).sum();
    for (String name : able) {
      judge(name, weights.get(name) / sum, stretch, AT_FIRST);
      judge(name, weights.get(name) / sum, stretch.subList(settled, stretch.size()), SETTLED);
    }
  }

  private boolean areSettled(List<String> turns) {
    return able.stream().allMatch(one -> turns.stream().filter(one::equals).count() > 1);
  }

  private void judge(String name, double share, List<String> turns, double allowed) {
    double ahead = 0;
    double least = 0;
    double most = 0;
    for (String turn : turns) {
      ahead += (turn.equals(name) ? 1 : 0) - share;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead);
    }
    assertThat(most - least)
        .as("%s of weights %s and limits %s in %s", name, weights, limits, turns)
        .isLessThanOrEqualTo(allowed + ROUNDING);
  }
}
