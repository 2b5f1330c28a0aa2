package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Counts turns, and compares them with the definition of fair shares. */
class FairSharesPropertyTest {

  @Property(tries = 30)
  void betweenBusyCustomersOfEqualWeightTheCountsDifferByAtMostOneOverAnyStretch(
      @ForAll @IntRange(min = 2, max = 6) int busy, @ForAll long seed) {
    Random random = new Random(seed);
    PoolPlay play = new PoolPlay();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      String name = Character.toString((char) ('b' + 3 * i));
      names.add(name);
      play.ready(name, 150);
    }
    Map<String, Integer> counts = new HashMap<>();
    Map<String, int[]> differences = new HashMap<>();
    for (int step = 0; step < 120; step++) {
      if (random.nextInt(3) == 0) {
        String guest = Character.toString((char) ('a' + random.nextInt(26)));
        if (!names.contains(guest)) {
          play.ready(guest, 1 + random.nextInt(3));
        }
      }
      for (String chosen : play.choose(1 + random.nextInt(3))) {
        counts.merge(chosen.substring(0, 1), 1, Integer::sum);
        for (String one : names) {
          for (String other : names) {
            int difference = counts.getOrDefault(one, 0) - counts.getOrDefault(other, 0);
            int[] range = differences.computeIfAbsent(one + other, any -> new int[2]);
            range[0] = Math.min(range[0], difference);
            range[1] = Math.max(range[1], difference);
          }
        }
      }
    }
    differences.forEach(
        (pair, range) -> assertThat(range[1] - range[0]).as(pair).isLessThanOrEqualTo(1));
  }

  @Property(tries = 40)
  void eachCountIsWithinOneOfTheWeightedShare(
      @ForAll @IntRange(min = 1, max = 5) int weighted,
      @ForAll @IntRange(min = 0, max = 6) int plain,
      @ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Double> weights = new HashMap<>();
    StringBuilder document = new StringBuilder();
    for (int i = 0; i < weighted; i++) {
      double weight = (1 + random.nextInt(200)) / 10.0;
      weights.put("w" + i, weight);
      document.append(i == 0 ? "" : ", ").append("\"w").append(i).append("\": ").append(weight);
    }
    for (int i = 0; i < plain; i++) {
      weights.put("p" + i, 1.0);
    }
    PoolPlay play = new PoolPlay().as("{\"weights\": {" + document + "}}");
    weights.keySet().forEach(name -> play.ready(name, 400));
    double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<String, Integer> counts = new HashMap<>();
    int total = 0;
    while (total < 300) {
      for (String chosen : play.choose(1 + random.nextInt(5))) {
        counts.merge(chosen.substring(0, 2), 1, Integer::sum);
        total++;
        int sofar = total;
        weights.forEach(
            (name, weight) ->
                assertThat(Math.abs(counts.getOrDefault(name, 0) - sofar * weight / sum))
                    .as("%s of weight %s after %d turns", name, weight, sofar)
                    .isLessThanOrEqualTo(1.0 + 1e-6));
      }
    }
  }

  @Property(tries = 30)
  void everyJobIsChosenOnceAndNoLimitIsExceeded(@ForAll long seed) {
    Random random = new Random(seed);
    PoolPlay play =
        new PoolPlay()
            .as(
                "{\"weights\": {\"a\": 3, \"b\": 0.5}, \"maxInFlight\": {\"default\": 3, \"c\": 1}}");
    Set<String> chosen = new HashSet<>();
    List<String> runs = new ArrayList<>();
    int entered = 0;
    for (int step = 0; step < 2_000 && (step < 150 || chosen.size() < entered); step++) {
      if (step < 150 && random.nextInt(2) == 0) {
        int jobs = 1 + random.nextInt(4);
        String customer = Character.toString((char) ('a' + random.nextInt(8)));
        play.ready(customer, jobs, random.nextInt(10));
        entered += jobs;
      }
      for (String job : play.choose(1 + random.nextInt(4))) {
        String customer = job.substring(0, 1);
        assertThat(chosen.add(job)).as(job).isTrue();
        assertThat(play.runningOf(customer)).isLessThanOrEqualTo(customer.equals("c") ? 1 : 3);
        runs.add(customer);
      }
      if (!runs.isEmpty() && random.nextInt(3) > 0) {
        play.end(runs.remove(random.nextInt(runs.size())));
      }
      play.now = play.now.plusSeconds(random.nextInt(60));
    }
    assertThat(chosen).hasSize(entered);
  }
}
