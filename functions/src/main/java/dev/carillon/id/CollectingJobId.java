package dev.carillon.id;

/**
 * The job of a schedule that collects events and fires, and has no id while it does. Its wake-up
 * applies what has come due since: a fire, time that has passed, the time-out.
 */
public record CollectingJobId(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#collecting";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
