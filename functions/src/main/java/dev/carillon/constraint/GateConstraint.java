package dev.carillon.constraint;

import dev.carillon.gate.Limit;
import java.util.Set;

/** A constraint on what launches of a program, or of a group of programs, have in common. */
public sealed interface GateConstraint extends Constraint permits Concurrency, Rate, SinceLastRun {

  /** The names of their types in documents. */
  Set<String> TYPES = Set.of("concurrency", "rate", "sinceLastRun");

  Limit limit();
}
