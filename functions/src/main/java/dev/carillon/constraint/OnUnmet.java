package dev.carillon.constraint;

/** What happens to a job whose constraint does not hold. */
public enum OnUnmet {
  /** The job waits until the constraint holds. */
  WAIT,
  /** The job ends as SKIPPED. */
  SKIP
}
