package dev.carillon.runtime;

import dev.carillon.runtime.Attempt.Done;
import dev.carillon.runtime.Attempt.LostRace;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Changes data that other writers change as well. Each attempt reads, decides, and writes on the
 * condition that what it read is still stored. A lost race is followed by another attempt.
 */
public final class OptimisticUpdate {

  /**
   * How many attempts one update has at most. Each lost race means that another writer succeeded.
   * So losing more races than this shows that too many writers share one item, or that there is a
   * defect.
   */
  public static final int MOST_ATTEMPTS = 50;

  private final Runnable lostRace;
  private final Runnable givenUp;

  /**
   * @param lostRace runs after each lost race
   * @param givenUp runs before a {@link ContentionException} is thrown
   */
  public OptimisticUpdate(Runnable lostRace, Runnable givenUp) {
    this.lostRace = lostRace;
    this.givenUp = givenUp;
  }

  /**
   * Counts a lost race for a caller that makes the next attempt itself, because the attempt is a
   * larger step.
   */
  public void countLostRace() {
    lostRace.run();
  }

  /** An update for a process that reports no metrics. */
  public static OptimisticUpdate uncounted() {
    return new OptimisticUpdate(() -> {}, () -> {});
  }

  /**
   * Repeats an attempt that does its own reads.
   *
   * @param what the data that is changed, for the exception's message
   * @return the value of the attempt that succeeded
   * @throws ContentionException after {@link #MOST_ATTEMPTS} lost races
   */
  public <T> T run(Object what, Supplier<Attempt<T>> attempt) {
    for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      if (attempt.get() instanceof Done<T> done) {
        return done.value();
      }
      lostRace.run();
    }
    throw contention(what);
  }

  /**
   * Like {@link #run(Object, Supplier)}, for a write without a value. The attempt returns true if
   * the write was stored.
   */
  public void untilStored(Object what, BooleanSupplier attempt) {
    run(what, () -> Attempt.of(attempt.getAsBoolean(), true));
  }

  /**
   * Like {@link #run(Object, Supplier)}, for an attempt that receives the stored state: at first
   * what the caller has read, later what the refused write returned.
   *
   * @param attempt the attempt; it must report a lost race by {@link Attempt#lostRaceTo}
   */
  public <T> T runFrom(Object what, T read, Function<T, Attempt<T>> attempt) {
    T stored = read;
    for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      Attempt<T> ended = attempt.apply(stored);
      if (ended instanceof Done<T> done) {
        return done.value();
      }
      lostRace.run();
      stored = present((LostRace<T>) ended);
    }
    throw contention(what);
  }

  private static <T> T present(LostRace<T> lost) {
    if (lost.present() == null) {
      throw new IllegalArgumentException("the lost race does not name what is stored instead");
    }
    return lost.present();
  }

  private ContentionException contention(Object what) {
    givenUp.run();
    return new ContentionException(what);
  }
}
