package dev.carillon.time;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instant at which a time trigger is due.
 *
 * @param shift how a change of the clocks affects the fire; null if none does
 */
public record Fire(Instant at, @Nullable Shift shift) {

  /**
   * GAP: the local time of the fire does not exist, so the fire was moved to the end of the gap.
   * OVERLAP: the local time of the fire occurs twice.
   */
  public enum Shift {
    GAP,
    OVERLAP
  }
}
