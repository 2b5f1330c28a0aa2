package dev.carillon.memory;

import dev.carillon.id.ScheduleId;
import dev.carillon.job.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The recently counted events of schedules, by the hashes of their ids. */
final class MemorySeen {

  private final Map<ScheduleId, LinkedHashMap<Long, Instant>> seen = new HashMap<>();

  /** For how long the ids of a schedule's events are remembered. */
  Duration window(ScheduleId schedule, Instant now) {
    Collection<Instant> all = seen.getOrDefault(schedule, new LinkedHashMap<>()).values();
    return all.size() < Jobs.MOST_SEEN
        ? Jobs.SEEN_WINDOW
        : Duration.between(Collections.min(all), now);
  }

  Set<Long> hashes(ScheduleId schedule, Instant now) {
    Map<Long, Instant> all = seen.getOrDefault(schedule, new LinkedHashMap<>());
    Set<Long> remembered = new LinkedHashSet<>();
    all.forEach(
        (hash, at) -> {
          if (!at.isBefore(now.minus(Jobs.SEEN_WINDOW))) {
            remembered.add(hash);
          }
        });
    return Collections.unmodifiableSet(remembered);
  }

  void remember(ScheduleId schedule, Set<Long> newlyCounted, Instant now) {
    LinkedHashMap<Long, Instant> all = seen.computeIfAbsent(schedule, any -> new LinkedHashMap<>());
    for (Long hash : newlyCounted) {
      all.remove(hash);
      all.put(hash, now);
    }
    all.values().removeIf(at -> at.isBefore(now.minus(Jobs.SEEN_WINDOW)));
    List<Long> oldestFirst = new ArrayList<>(all.keySet());
    oldestFirst.subList(0, Math.max(0, all.size() - Jobs.MOST_SEEN)).forEach(all::remove);
  }
}
