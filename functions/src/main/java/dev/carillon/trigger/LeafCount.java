package dev.carillon.trigger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The count of one leaf of a trigger.
 *
 * @param actual the partitions, bytes or events so far; for a time leaf, 1 once it has fired
 * @param fire the fire that satisfied a time leaf
 */
public record LeafCount(long expected, long actual, @Nullable Instant fire) {

  public boolean isSatisfied() {
    return actual >= expected;
  }
}
