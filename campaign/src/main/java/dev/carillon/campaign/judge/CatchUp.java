package dev.carillon.campaign.judge;

import java.time.Duration;
import java.util.Locale;

/**
 * The policy for missed fires.
 *
 * @param window milliseconds; older fires are not launched; 0 for no limit
 */
public record CatchUp(Policy policy, long window) {

  public static final CatchUp EVERYTHING = new CatchUp(Policy.ALL, 0);

  /** Which missed fires are launched. */
  public enum Policy {
    ALL,
    LATEST,
    NONE
  }

  public boolean isEverything() {
    return equals(EVERYTHING);
  }

  public Duration ofWindow() {
    return Duration.ofMillis(window);
  }

  /** Whether a missed fire is too old to be launched. */
  boolean isOutside(long fire, long now) {
    return window > 0 && fire < now - window;
  }

  /** The text of the policy in the history of a job. */
  String text() {
    String word = policy.name().toLowerCase(Locale.ROOT);
    return window == 0 ? word : word + " within " + ofWindow();
  }
}
