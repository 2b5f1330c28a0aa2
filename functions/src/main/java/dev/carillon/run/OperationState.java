package dev.carillon.run;

/** The state of an operation, as workers report it. */
public enum OperationState {
  /** It has not begun. */
  WAITING,
  RUNNING,
  SUCCEEDED,
  /** It has failed. A later attempt can run it again. */
  FAILED
}
