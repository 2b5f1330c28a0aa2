package dev.carillon.master;

import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import dev.carillon.timer.Timer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The heads of the schedules of due timers. They may be outdated. If a head has a later activation
 * than its timer, the timer is certainly dead. If a dead timer counts as live, the checker detects
 * it.
 */
final class TimerHeads {

  private final Map<ScheduleId, Head> heads;
  private final Set<ScheduleId> unreadable;

  private TimerHeads(Map<ScheduleId, Head> heads, Set<ScheduleId> unreadable) {
    this.heads = heads;
    this.unreadable = unreadable;
  }

  static TimerHeads read(List<Timer> due, Schedules schedules) {
    Set<ScheduleId> ids = due.stream().map(Timer::id).collect(Collectors.toSet());
    Set<ScheduleId> unreadable = new HashSet<>();
    Map<ScheduleId, Head> heads =
        new HashMap<>(UnreadableSchedules.readable(ids, unreadable, schedules::recentHeads));
    Set<ScheduleId> stale =
        due.stream()
            .filter(timer -> isOlder(heads.get(timer.id()), timer))
            .map(Timer::id)
            .filter(id -> !unreadable.contains(id))
            .collect(Collectors.toSet());
    if (!stale.isEmpty()) {
      heads.putAll(UnreadableSchedules.readable(stale, unreadable, schedules::heads));
    }
    return new TimerHeads(heads, unreadable);
  }

  private static boolean isOlder(@Nullable Head head, Timer timer) {
    return head == null || head.activation() < timer.activation();
  }

  /** Whether the head of a timer can be read; otherwise the timer stays unchanged. */
  boolean isReadable(Timer timer) {
    return !unreadable.contains(timer.id());
  }

  boolean isLive(Timer timer) {
    return end(timer).filter(end -> !end.isBefore(timer.dueAt())).isPresent();
  }

  /** The instant up to which a timer's fires are handed over; empty if the timer is dead. */
  Optional<Instant> end(Timer timer) {
    Optional<Head> head = Optional.ofNullable(heads.get(timer.id()));
    return timer.isOfSuspensionEnd()
        ? head.map(any -> Instant.MAX)
        : head.flatMap(known -> known.timersEnd(timer.activation()));
  }
}
