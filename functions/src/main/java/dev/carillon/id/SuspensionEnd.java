package dev.carillon.id;

/**
 * The end of a schedule's suspension. Its wake-up resumes the schedule if its {@code until} has
 * passed, and sends checks of the suspended jobs.
 */
public record SuspensionEnd(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#suspension";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
