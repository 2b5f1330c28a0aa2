package dev.carillon.id;

/**
 * Names the collecting job of a schedule, which has no id of its own. Its wake-up applies what has
 * fallen due: a fire, an elapsed period, or the time-out.
 */
public record CollectingJobId(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#collecting";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
