package dev.carillon.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random choices that follow from a seed. */
final class Chance {

  private final SplittableRandom random;

  Chance(long seed) {
    this.random = new SplittableRandom(seed);
  }

  long any() {
    return random.nextLong();
  }

  /** From 0, below {@code bound}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Both ends inclusive. */
  long between(long least, long most) {
    return least + random.nextLong(most - least + 1);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  boolean perMille(int rate) {
    return rate > 0 && random.nextInt(1000) < rate;
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  <T> List<T> shuffled(List<T> items) {
    List<T> shuffled = new ArrayList<>(items);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      T swapped = shuffled.get(i);
      shuffled.set(i, shuffled.get(other));
      shuffled.set(other, swapped);
    }
    return shuffled;
  }
}
