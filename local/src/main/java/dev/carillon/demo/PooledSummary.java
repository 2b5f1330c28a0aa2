package dev.carillon.demo;

import dev.carillon.demo.PooledJobs.Load;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The turns of the customers of the demo's pool.
 *
 * @param served the customer of each served job, in the order of service
 */
record PooledSummary(List<String> served) {

  private static final String ROW = "  %-9s  %8s  %11s  %s";

  /** The number of turns during which all customers have work, so that they have equal shares. */
  private static final int SHARED =
      PooledJobs.LOADS.size() * PooledJobs.LOADS.stream().mapToInt(Load::jobs).min().orElse(0);

  /** The faults, one sentence each. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Load load : PooledJobs.LOADS) {
      int times = Collections.frequency(served, load.customer());
      if (times != load.jobs()) {
        faults.add(
            "%d jobs of %s were served, not %d".formatted(times, load.customer(), load.jobs()));
      }
    }
    for (int turn = 1; turn <= Math.min(SHARED, served.size()); turn++) {
      if (difference(turn) > 1) {
        faults.add("the shares in the pool were not equal after turn " + turn);
        break;
      }
    }
    return faults;
  }

  /**
   * Counts the turns of each customer among the first {@code turns} turns. Returns the largest
   * count minus the smallest.
   */
  private int difference(int turns) {
    List<Integer> counts = PooledJobs.LOADS.stream().map(load -> first(load, turns)).toList();
    return Collections.max(counts) - Collections.min(counts);
  }

  private int first(Load load, int turns) {
    return Collections.frequency(served.subList(0, turns), load.customer());
  }

  void print(Screen screen) {
    int shared = Math.min(SHARED, served.size());
    screen.line("");
    screen.line(ROW, "customer", "jobs", "of first " + shared, "turns in the pool");
    for (Load load : PooledJobs.LOADS) {
      List<String> turns =
          IntStream.range(0, served.size())
              .filter(turn -> served.get(turn).equals(load.customer()))
              .mapToObj(turn -> Integer.toString(turn + 1))
              .toList();
      screen.line(ROW, load.customer(), turns.size(), first(load, shared), String.join(" ", turns));
    }
  }
}
