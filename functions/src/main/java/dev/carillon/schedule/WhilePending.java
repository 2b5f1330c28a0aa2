package dev.carillon.schedule;

/** The effect of a fire or an event while a job whose trigger was satisfied still waits. */
public enum WhilePending {
  /** It makes another job. */
  QUEUE,
  /** It is merged into the waiting job. */
  MERGE,
  /** It is dropped, and the reason is recorded. */
  SKIP
}
