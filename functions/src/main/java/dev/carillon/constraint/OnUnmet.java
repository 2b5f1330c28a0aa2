package dev.carillon.constraint;

/** What becomes of a job whose constraint does not hold. */
public enum OnUnmet {
  /** It waits until the constraint holds. */
  WAIT,
  /** It ends SKIPPED. */
  SKIP
}
