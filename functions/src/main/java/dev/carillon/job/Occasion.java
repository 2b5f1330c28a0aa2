package dev.carillon.job;

import dev.carillon.event.Event;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job came to be: what its trigger's leaves have counted, and the events. It travels with the
 * launch as the trigger information.
 *
 * @param leaves one for each leaf of the trigger, in order
 * @param events the first {@link #MOST_FIRST} and the last {@link #MOST_LAST}, in order of arrival,
 *     together at most {@link #MOST_EVENT_BYTES} of payload
 * @param eventsOmitted how many others counted
 */
public record Occasion(List<Leaf> leaves, List<Event> events, long eventsOmitted) {

  public static final int MOST_FIRST = 20;
  public static final int MOST_LAST = 20;
  public static final int MOST_EVENT_BYTES = 64 * 1024;

  /**
   * What one leaf has counted.
   *
   * @param actual partitions, bytes or events so far; of a time leaf 1 once it fired
   * @param fire of a time leaf the fire that satisfied it
   */
  public record Leaf(long expected, long actual, @Nullable Instant fire) {
    public boolean isSatisfied() {
      return actual >= expected;
    }
  }
}
