package dev.carillon.schedule;

import java.util.Set;

/**
 * What is stored of some schedules cannot be read, so nobody can tell what they want: they are
 * neither deleted nor suspended. What was asked of others may be asked again without them.
 */
public final class UnreadableSchedules extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Set<ScheduleId> ids;

  public UnreadableSchedules(Set<ScheduleId> ids, RuntimeException damage) {
    super("what is stored of " + ids + " cannot be read", damage);
    this.ids = Set.copyOf(ids);
  }

  /** At least one. */
  public Set<ScheduleId> ids() {
    return ids;
  }
}
