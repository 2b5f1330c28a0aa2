package dev.carillon.schedule;

/** The effect of a fire or an event while a job whose trigger was satisfied still waits. */
public enum WhilePending {
  /** The fire or event makes another job. */
  QUEUE,
  /** The fire or event is merged into the waiting job. */
  MERGE,
  /** The fire or event is dropped, and the reason is recorded. */
  SKIP
}
