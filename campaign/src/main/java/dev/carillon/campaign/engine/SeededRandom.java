package dev.carillon.campaign.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random choices that a seed determines. */
public final class SeededRandom {

  private final SplittableRandom random;

  public SeededRandom(long seed) {
    this.random = new SplittableRandom(seed);
  }

  public long any() {
    return random.nextLong();
  }

  /** A number from 0 to {@code bound - 1}. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** A number from {@code least} to {@code most}, both inclusive. */
  public long between(long least, long most) {
    return least + random.nextLong(most - least + 1);
  }

  public boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  boolean perMille(int rate) {
    return rate > 0 && random.nextInt(1000) < rate;
  }

  @SafeVarargs
  public final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  public <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  public <T> List<T> shuffled(List<T> items) {
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
