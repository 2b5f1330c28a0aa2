package dev.carillon.constraint;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** At most so many launches of the program, or of all of the group, in any such interval. */
public record Rate(int max, Duration per, @Nullable String group, OnUnmet onUnmet)
    implements GateConstraint {

  public static final int MOST = 1_000;

  @Override
  public String type() {
    return "rate";
  }

  @Override
  public Limit limit() {
    return new Limit.Launches(max, per, group);
  }
}
