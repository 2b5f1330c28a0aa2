package dev.carillon.constraint;

import java.util.Set;

/**
 * A constraint on what launches of a program, of a group, or under a resource have in common.
 *
 * @param limit what it asks of a gate
 */
public record GateConstraint(Limit limit, OnUnmet onUnmet) implements Constraint {

  /** The names of their types in documents. */
  public static final Set<String> TYPES = Set.of("concurrency", "rate", "sinceLastRun", "resource");

  @Override
  public String type() {
    return limit.type();
  }
}
