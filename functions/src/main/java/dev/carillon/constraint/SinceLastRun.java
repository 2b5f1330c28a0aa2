package dev.carillon.constraint;

import java.time.Duration;

/** Not before so long after the end of the program's last successful run; never beside a run. */
public record SinceLastRun(Duration duration, OnUnmet onUnmet) implements GateConstraint {

  @Override
  public String type() {
    return "sinceLastRun";
  }

  @Override
  public Limit limit() {
    return new Limit.SinceSuccess(duration);
  }
}
