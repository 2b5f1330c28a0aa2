package dev.carillon.time;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An instant at which a time trigger is due.
 *
 * @param shift how a change of the clocks affects it; null if none does
 */
public record Fire(Instant at, @Nullable Shift shift) {

  /**
   * GAP: its local time does not exist, so it was moved to the end of the gap. OVERLAP: its local
   * time occurs twice.
   */
  public enum Shift {
    GAP,
    OVERLAP
  }
}
