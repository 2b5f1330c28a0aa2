package dev.carillon.timer;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The policy for fires that were missed in an outage.
 *
 * @param window fires that are older than this when the outage ends are not launched; null for no
 *     limit
 */
public record CatchUp(Policy policy, @Nullable Duration window) {

  public static final CatchUp EVERYTHING = new CatchUp(Policy.ALL, null);

  /** Which missed fires are launched: every one, only the latest, or none. */
  public enum Policy {
    ALL,
    LATEST,
    NONE
  }

  /** Whether all missed fires are launched, which is the default. */
  public boolean isEverything() {
    return policy == Policy.ALL && window == null;
  }

  /** Whether a missed fire is too old to be launched. */
  public boolean isOutside(Instant fire, Instant now) {
    return window != null && fire.isBefore(now.minus(window));
  }
}
