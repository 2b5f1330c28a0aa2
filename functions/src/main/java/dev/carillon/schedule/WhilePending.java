package dev.carillon.schedule;

/** What a fire or an event does while a job whose trigger was satisfied still waits. */
public enum WhilePending {
  /** It makes another job. */
  QUEUE,
  /** It is added to the one that waits. */
  MERGE,
  /** It is dropped, with the reason. */
  SKIP
}
