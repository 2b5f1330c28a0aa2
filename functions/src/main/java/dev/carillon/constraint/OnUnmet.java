package dev.carillon.constraint;

/** What happens to a job whose constraint does not hold. */
public enum OnUnmet {
  /** It waits until the constraint holds. */
  WAIT,
  /** It ends as SKIPPED. */
  SKIP
}
