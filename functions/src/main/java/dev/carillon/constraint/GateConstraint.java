package dev.carillon.constraint;

import java.util.Set;

/** A constraint on what launches of a program, of a group, or under a resource have in common. */
public sealed interface GateConstraint extends Constraint
    permits Concurrency, Rate, SinceLastRun, Resource {

  /** The names of their types in documents. */
  Set<String> TYPES = Set.of("concurrency", "rate", "sinceLastRun", "resource");

  Limit limit();
}
