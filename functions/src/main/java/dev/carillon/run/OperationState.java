package dev.carillon.run;

/** The state of an operation, as workers report it. */
public enum OperationState {
  /** The operation has not begun. */
  WAITING,
  RUNNING,
  SUCCEEDED,
  /** The operation has failed. A later attempt can run it again. */
  FAILED
}
