package dev.carillon.campaign.judge;

import java.time.Duration;
import java.util.Locale;

/**
 * What becomes of fires that were missed.
 *
 * @param window milliseconds; what is older is not made up for; 0 for no bound
 */
public record CatchUp(Policy policy, long window) {

  public static final CatchUp EVERYTHING = new CatchUp(Policy.ALL, 0);

  /** Which of them are made up for. */
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

  /** Whether a missed fire is too old to be made up for. */
  boolean isOutside(long fire, long now) {
    return window > 0 && fire < now - window;
  }

  /** As the history says it. */
  String told() {
    String word = policy.name().toLowerCase(Locale.ROOT);
    return window == 0 ? word : word + " within " + ofWindow();
  }
}
