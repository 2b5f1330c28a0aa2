package dev.carillon.client;

/** The state of one of a job's operations, as its worker reports it. */
public enum OperationState {
  WAITING,
  RUNNING,
  SUCCEEDED,
  FAILED,
  /** A state that only a newer server knows. */
  UNRECOGNIZED
}
