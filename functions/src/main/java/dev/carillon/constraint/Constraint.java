package dev.carillon.constraint;

/** A condition that must hold before a job whose trigger is satisfied launches. */
public sealed interface Constraint permits Delay, TimeWindow, GateConstraint {

  /** The name of the constraint's type in documents. */
  String type();

  OnUnmet onUnmet();
}
