package dev.carillon.runtime;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outcome of one attempt of an {@link OptimisticUpdate}. */
public sealed interface Attempt<T> {

  /** The change is stored, or there was nothing to store. */
  record Done<T>(T value) implements Attempt<T> {}

  /**
   * Another writer changed what this attempt had read.
   *
   * @param present what that writer stored; null if the next attempt must read it itself
   */
  record LostRace<T>(@Nullable T present) implements Attempt<T> {}

  static <T> Attempt<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Attempt<T> lostRace() {
    return new LostRace<>(null);
  }

  /** A lost race with the stored state that the refused write returned. */
  static <T> Attempt<T> lostRaceTo(T present) {
    return new LostRace<>(present);
  }

  /**
   * The outcome of a conditional write. If the write was stored, the attempt is done with this
   * value; otherwise it is a lost race.
   */
  static <T> Attempt<T> of(boolean stored, T value) {
    return stored ? done(value) : lostRace();
  }

  /** Maps the value. If this is a lost race, the result is a lost race without the stored state. */
  default <R> Attempt<R> map(Function<T, R> result) {
    return this instanceof Done<T> done ? done(result.apply(done.value())) : lostRace();
  }
}
