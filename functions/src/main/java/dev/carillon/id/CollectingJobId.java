package dev.carillon.id;

/**
 * Stands for a schedule's collecting job in wake-ups and checks. A collecting job is identified by
 * its schedule. In a check of this subject, the checker finds what is due (a fire, an elapsed
 * period or the time-out), and applies it to the collecting job.
 */
public record CollectingJobId(ScheduleId schedule) implements Subject {

  static final String SUFFIX = "#collecting";

  @Override
  public String toString() {
    return schedule + SUFFIX;
  }
}
