package dev.carillon.schedule;

import dev.carillon.id.ScheduleId;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;

/**
 * The stored items of some schedules cannot be read. The caller must not take them for deleted or
 * suspended; it can repeat the read without them.
 */
public final class UnreadableSchedules extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Set<ScheduleId> ids;

  public UnreadableSchedules(Set<ScheduleId> ids, RuntimeException damage) {
    super("the stored items of schedules " + ids + " cannot be read", damage);
    this.ids = Set.copyOf(ids);
  }

  /**
   * Reads the schedules that can be read.
   *
   * @param unreadable receives the ids of unreadable schedules
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

  /** The ids of the unreadable schedules; at least one. */
  public Set<ScheduleId> ids() {
    return ids;
  }
}
