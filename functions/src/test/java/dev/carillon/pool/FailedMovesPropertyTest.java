package dev.carillon.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Plays a pool beside another one that is the same, except that some of its moves fail. */
class FailedMovesPropertyTest {

  private static final int STEPS = 120;

  private final List<String> chosen = new ArrayList<>();
  private int entered;

  @Property(tries = 60)
  void aFailedMoveCostsNoCustomerATurnAndLosesNoJob(@ForAll long seed) {
    chosen.clear();
    entered = 0;
    Random random = new Random(seed);
    String document = document(random);
    PoolPlay whole = new PoolPlay().as(document);
    PoolPlay failing = new PoolPlay().as(document);
    for (int step = 0; step < STEPS; step++) {
      step(whole, failing, random);
    }
    for (int turn = 0; chosen.size() < entered && turn < entered; turn++) {
      failing.retry();
      endAll(whole, failing);
      chooseFromBoth(whole, failing, 5, random);
    }
    failing.retry();
    assertThat(failing.left()).hasSize(entered).doesNotHaveDuplicates();
    assertThat(failing.left()).containsExactlyInAnyOrderElementsOf(whole.left());
  }

  /** With weights, a failed move can shift a turn. */
  @Property(tries = 60)
  void noJobIsLostOrDoubledWithWeights(@ForAll long seed) {
    Random random = new Random(seed);
    PoolPlay play = new PoolPlay().as("{\"weights\": {\"a\": 3, \"b\": 0.5}}");
    int all = 0;
    for (int step = 0; step < STEPS; step++) {
      int jobs = random.nextInt(4);
      play.ready(customer(random.nextInt(6)), jobs, random.nextInt(4) == 0 ? 3 : 5);
      all += jobs;
      play.choose(random.nextInt(4), job -> random.nextInt(3) == 0);
      if (random.nextInt(3) == 0) {
        play.retry();
      }
      play.now = play.now.plusSeconds(7);
    }
    for (int turn = 0; turn < all; turn++) {
      play.retry();
      play.choose(5);
    }
    play.retry();
    assertThat(play.left()).hasSize(all).doesNotHaveDuplicates();
  }

  private void step(PoolPlay whole, PoolPlay failing, Random random) {
    if (random.nextInt(2) == 0) {
      String customer = customer(random.nextInt(6));
      int jobs = 1 + random.nextInt(5);
      int priority = random.nextInt(4) == 0 ? 3 : 5;
      entered += jobs;
      failing.retry();
      whole.ready(customer, jobs, priority);
      failing.ready(customer, jobs, priority);
    }
    chooseFromBoth(whole, failing, 1 + random.nextInt(3), random);
    if (random.nextInt(3) == 0) {
      failing.retry();
    }
    String customer = customer(random.nextInt(6));
    if (random.nextInt(3) > 0 && failing.runningOf(customer) > 0) {
      whole.end(customer);
      failing.end(customer);
    }
    whole.now = whole.now.plusSeconds(7);
    failing.now = whole.now;
  }

  private void chooseFromBoth(PoolPlay whole, PoolPlay failing, int most, Random random) {
    List<String> expected = whole.choose(most);
    assertThat(failing.choose(most, job -> random.nextInt(3) == 0)).isEqualTo(expected);
    chosen.addAll(expected);
  }

  private static void endAll(PoolPlay whole, PoolPlay failing) {
    for (int i = 0; i < 6; i++) {
      while (whole.runningOf(customer(i)) > 0) {
        whole.end(customer(i));
        failing.end(customer(i));
      }
    }
  }

  private static String customer(int number) {
    return Character.toString((char) ('a' + number));
  }

  /**
   * Without weights: the weight of the customers that have none is their number in a round, and a
   * job whose move has failed can make the pool begin another round.
   */
  private static String document(Random random) {
    int most = 1 + random.nextInt(4);
    return switch (random.nextInt(3)) {
      case 0 -> "{\"maxInFlight\": {\"default\": %d, \"b\": 1}}".formatted(most);
      case 1 -> "{\"maxInFlight\": {\"a\": %d, \"c\": 1}}".formatted(most);
      default -> "{}";
    };
  }
}
