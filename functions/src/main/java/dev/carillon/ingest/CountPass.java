package dev.carillon.ingest;

import dev.carillon.id.ScheduleId;
import dev.carillon.runtime.Deadline;
import dev.carillon.runtime.Fanout;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.UnreadableSchedules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts events for all schedules that they concern, as far as time allows. Heads and definitions
 * are read in parts, so that the first schedules have counted before the last ones are read.
 */
final class CountPass {

  /** How many schedules are read at once: as many as one request to DynamoDB reads. */
  private static final int MOST_READ = 100;

  private static final Logger LOG = LoggerFactory.getLogger(CountPass.class);

  private final Schedules schedules;
  private final CompiledSchedules definitions;
  private final ScheduleCounts counts;
  private final Fanout fanout;

  CountPass(
      Schedules schedules, CompiledSchedules definitions, ScheduleCounts counts, Fanout fanout) {
    this.schedules = schedules;
    this.definitions = definitions;
    this.counts = counts;
    this.fanout = fanout;
  }

  /**
   * What the pass has left uncounted.
   *
   * @param late the schedules for which counting had not begun at the deadline
   * @param refused the schedules that could not count their events
   * @param hasCounted whether any schedule has counted its events
   */
  record Result(Set<ScheduleId> late, Set<ScheduleId> refused, boolean hasCounted) {}

  Result run(List<PendingEvent> events, Deadline deadline) {
    Set<ScheduleId> late = ConcurrentHashMap.newKeySet();
    Set<ScheduleId> refused = ConcurrentHashMap.newKeySet();
    AtomicBoolean hasBegun = new AtomicBoolean();
    AtomicBoolean hasCounted = new AtomicBoolean();
    Map<ScheduleId, List<PendingEvent>> concerned = bySchedule(events);
    List<ScheduleId> order = inOrder(concerned);
    for (int from = 0; from < order.size(); from += MOST_READ) {
      List<ScheduleId> part = order.subList(from, Math.min(order.size(), from + MOST_READ));
      if (deadline.hasPassed()) {
        late.addAll(part);
        continue;
      }
      Map<ScheduleId, Head> heads = read(part, refused);
      fanout.forEach(
          part.stream().filter(id -> !refused.contains(id)).toList(),
          id -> {
            // One schedule is counted even if reading took all the time, because otherwise the next
            // call might get no further.
            if (hasBegun.getAndSet(true) && deadline.hasPassed()) {
              late.add(id);
            } else if (count(heads.get(id), concerned.getOrDefault(id, List.of()))) {
              hasCounted.set(true);
            } else {
              refused.add(id);
            }
          });
    }
    return new Result(late, refused, hasCounted.get());
  }

  private boolean count(@Nullable Head head, List<PendingEvent> events) {
    List<PendingEvent> all = events.stream().filter(event -> event.concerns(head)).toList();
    return all.isEmpty() || counts.count(head, all);
  }

  /** The events of each schedule, in the order of their arrival. */
  private static Map<ScheduleId, List<PendingEvent>> bySchedule(List<PendingEvent> events) {
    Map<ScheduleId, List<PendingEvent>> concerned = new LinkedHashMap<>();
    for (PendingEvent event : events) {
      for (ScheduleId id : event.schedules()) {
        concerned.computeIfAbsent(id, any -> new ArrayList<>()).add(event);
      }
    }
    return concerned;
  }

  /**
   * The order of counting: namespaces with few schedules come first, and within a namespace the
   * events that concern few schedules. So an event that concerns very many schedules gets the time
   * that the other events leave.
   */
  private static List<ScheduleId> inOrder(Map<ScheduleId, List<PendingEvent>> concerned) {
    Map<String, Integer> ofNamespace = new HashMap<>();
    concerned.keySet().forEach(id -> ofNamespace.merge(id.namespace(), 1, Integer::sum));
    Map<PendingEvent, Integer> ofEvent = new HashMap<>();
    concerned.values().forEach(all -> all.forEach(event -> ofEvent.merge(event, 1, Integer::sum)));
    Map<ScheduleId, Integer> fewest = new HashMap<>();
    concerned.forEach(
        (id, all) -> all.forEach(event -> fewest.merge(id, ofEvent.get(event), Math::min)));
    return concerned.keySet().stream()
        .sorted(
            Comparator.comparing((ScheduleId id) -> ofNamespace.get(id.namespace()))
                .thenComparing(fewest::get))
        .toList();
  }

  private Map<ScheduleId, Head> read(List<ScheduleId> part, Set<ScheduleId> refused) {
    try {
      Map<ScheduleId, Head> heads = UnreadableSchedules.readable(part, refused, schedules::heads);
      definitions.of(heads.values());
      return heads;
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "could not read {} schedules that the events concern; SQS delivers the events again",
          part.size(),
          unavailable);
      refused.addAll(part);
      return Map.of();
    }
  }
}
