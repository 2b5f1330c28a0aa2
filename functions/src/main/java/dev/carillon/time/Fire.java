package dev.carillon.time;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One instant at which a time trigger fires.
 *
 * @param shift how a change of the clocks concerns it; null if it does not
 */
public record Fire(Instant at, @Nullable Shift shift) {

  /**
   * GAP: its local time does not exist, so it was moved behind the gap. OVERLAP: it occurs twice.
   */
  public enum Shift {
    GAP,
    OVERLAP
  }
}
