package dev.carillon.constraint;

import java.time.Duration;
import java.time.Instant;

/** The job launches only after this duration has passed since its trigger was satisfied. */
public record Delay(Duration duration) implements Constraint {

  @Override
  public String type() {
    return "delay";
  }

  /** The action is always WAIT: with SKIP, the delay would skip every job. */
  @Override
  public OnUnmet onUnmet() {
    return OnUnmet.WAIT;
  }

  Instant end(Instant triggeredAt) {
    return triggeredAt.plus(duration);
  }

  String reason() {
    return "its delay of " + duration + " has not passed";
  }
}
