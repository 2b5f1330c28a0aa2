package dev.carillon.constraint;

import java.util.Set;

/**
 * A constraint on the launches that share a program, a group, or a resource.
 *
 * @param limit the limit at the gate
 */
public record GateConstraint(Limit limit, OnUnmet onUnmet) implements Constraint {

  /** The names of these constraints' types in documents. */
  public static final Set<String> TYPES = Set.of("concurrency", "rate", "sinceLastRun", "resource");

  @Override
  public String type() {
    return limit.type();
  }
}
