package dev.carillon.worker;

/** The outcome of an attempt, as the worker knows it. */
public enum JobEnding {
  /** The job SUCCEEDED. */
  SUCCEEDED,
  /** The attempt failed, and another may follow. */
  RETRIABLE,
  /** The job ended as FAILED, without another attempt, or was cancelled. */
  FAILED,
  /** The claim was lost, and the outcome does not count. */
  LOST,
  /** The outcome could not be reported. The server ends the attempt by its time-outs. */
  UNREPORTED
}
