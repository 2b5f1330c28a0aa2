package dev.carillon.collect;

/** The outcome of an event at one schedule. */
public enum Acceptance {
  COUNTED,
  /** The event had been counted earlier. */
  DUPLICATE,
  /** The event concerns no leaf, or the schedule has no open job and can open none. */
  UNMATCHED
}
