package dev.carillon.id;

/**
 * The end of a schedule's suspension. Its wake-up resumes the schedule if that is due, and has the
 * jobs checked that the suspension held back.
 */
public record SuspensionEnd(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#suspension";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
