package dev.carillon.constraint;

/** What must hold before a job whose trigger is satisfied launches. */
public sealed interface Constraint permits Delay, TimeWindow, GateConstraint {

  /** The name of its type in documents. */
  String type();

  OnUnmet onUnmet();
}
