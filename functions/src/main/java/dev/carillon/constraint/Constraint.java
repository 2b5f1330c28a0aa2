package dev.carillon.constraint;

/** What must hold before a job whose trigger is satisfied launches. */
public sealed interface Constraint permits Delay, TimeWindow {

  /** The name of its type in documents. */
  String type();

  OnUnmet onUnmet();
}
