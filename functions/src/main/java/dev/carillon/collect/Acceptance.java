package dev.carillon.collect;

/** The outcome of an event at one schedule. */
public enum Acceptance {
  COUNTED,
  /** It had been counted earlier. */
  DUPLICATE,
  /** It concerns no leaf, or no job is open and none can be opened. */
  UNMATCHED
}
