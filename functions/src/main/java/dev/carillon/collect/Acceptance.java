package dev.carillon.collect;

/** What became of an event. */
public enum Acceptance {
  COUNTED,
  /** It was counted before. */
  DUPLICATE,
  /** It concerns no leaf, or no job is open and none may be opened. */
  UNMATCHED
}
