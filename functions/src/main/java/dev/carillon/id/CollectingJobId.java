package dev.carillon.id;

/**
 * Stands for a schedule's collecting job in wake-ups and checks. A collecting job is identified by
 * its schedule. A check of this subject makes the checker apply to the collecting job what has
 * fallen due: a fire, an elapsed period, or the time-out.
 */
public record CollectingJobId(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#collecting";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
