package dev.carillon.constraint;

import org.jspecify.annotations.Nullable;

/** At most so many unfinished attempts of the program, or of all programs of the group. */
public record Concurrency(int max, @Nullable String group, OnUnmet onUnmet)
    implements GateConstraint {

  public static final int MOST = 1_000;

  @Override
  public String type() {
    return "concurrency";
  }

  @Override
  public Limit limit() {
    return new Limit.Unfinished(max, group);
  }
}
