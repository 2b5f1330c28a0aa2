package dev.carillon.schedule;

import dev.carillon.id.ScheduleId;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;

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

  /**
   * What there is of those that can be read.
   *
   * @param unreadable takes the others
   */
  public static <T> T readable(
      Collection<ScheduleId> ids,
      Set<ScheduleId> unreadable,
      Function<Collection<ScheduleId>, T> read) {
    try {
      return read.apply(ids);
    } catch (UnreadableSchedules damaged) {
      unreadable.addAll(damaged.ids());
      return read.apply(ids.stream().filter(id -> !damaged.ids().contains(id)).toList());
    }
  }

  /** At least one. */
  public Set<ScheduleId> ids() {
    return ids;
  }
}
