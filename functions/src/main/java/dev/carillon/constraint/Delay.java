package dev.carillon.constraint;

import java.time.Duration;
import java.time.Instant;

/** Not before so long after the trigger was satisfied. */
public record Delay(Duration duration) implements Constraint {

  @Override
  public String type() {
    return "delay";
  }

  /** A skipped delay would never launch anything. */
  @Override
  public OnUnmet onUnmet() {
    return OnUnmet.WAIT;
  }

  Instant end(Instant triggeredAt) {
    return triggeredAt.plus(duration);
  }

  String reason() {
    return "its delay of " + duration + " is not over";
  }
}
