package dev.carillon.trigger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one leaf of a trigger has counted.
 *
 * @param actual partitions, bytes or events so far; of a time leaf 1 once it fired
 * @param fire of a time leaf the fire that satisfied it
 */
public record LeafCount(long expected, long actual, @Nullable Instant fire) {

  public boolean isSatisfied() {
    return actual >= expected;
  }
}
