package dev.carillon.client;

/** The state of one of a job's operations, as its worker reports it. */
public enum OperationState {
  WAITING,
  RUNNING,
  SUCCEEDED,
  FAILED
}
