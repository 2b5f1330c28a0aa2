package dev.carillon.schedule;

/**
 * Whether a schedule makes jobs. A deleted schedule leaves a tombstone, so that generations never
 * repeat.
 */
public enum ScheduleState {
  ACTIVE,
  SUSPENDED,
  COMPLETED,
  DELETED
}
