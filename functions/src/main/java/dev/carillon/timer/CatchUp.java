package dev.carillon.timer;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which of the fires that fell due in an outage are made up for.
 *
 * @param window those that are older when the outage ends are not; null for no bound
 */
public record CatchUp(Policy policy, @Nullable Duration window) {

  public static final CatchUp EVERYTHING = new CatchUp(Policy.ALL, null);

  /** Every fire, the latest alone, or none. */
  public enum Policy {
    ALL,
    LATEST,
    NONE
  }

  /** Whether it is as for a schedule that says nothing of it: all fires are made up for. */
  public boolean isEverything() {
    return policy == Policy.ALL && window == null;
  }

  /** Whether a missed fire is too old to be made up for. */
  public boolean isOutside(Instant fire, Instant now) {
    return window != null && fire.isBefore(now.minus(window));
  }
}
