package dev.carillon.memory;

import dev.carillon.document.TextForm;
import dev.carillon.gate.DemandCounts;
import dev.carillon.gate.LimitedPrograms;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Schedules in memory; their timers go into a {@link MemoryTimers}. */
public final class MemorySchedules implements Schedules {

  /** A page of the schedules with an event key has at most this many schedules. */
  private static final int MOST_OF_KEY = 1_500;

  private final MemoryTimers timers;
  private final Map<ScheduleId, Head> heads = new HashMap<>();
  private final NavigableMap<ScheduleId, Definition> definitions = new TreeMap<>();
  private final Map<ScheduleId, Map<Long, Definition>> former = new HashMap<>();
  private final MemoryGates gates;
  private final Map<String, Map<Integer, Long>> limited = new HashMap<>();
  private final Set<Entry> entries = new HashSet<>();
  private @Nullable Map<ScheduleId, Head> shownHeads;
  private @Nullable Map<ScheduleId, Definition> shownDefinitions;

  private record Entry(ScheduleId id, long generation, String eventKey) {}

  public MemorySchedules(MemoryTimers timers, MemoryGates gates) {
    this.timers = timers;
    this.gates = gates;
  }

  @Override
  public synchronized Map<ScheduleId, Head> heads(Collection<ScheduleId> ids) {
    return of(heads, ids);
  }

  @Override
  public synchronized Launching forLaunch(Collection<ScheduleId> ids) {
    Map<String, LimitedPrograms> all =
        ids.stream()
            .map(ScheduleId::namespace)
            .distinct()
            .collect(Collectors.toMap(namespace -> namespace, this::limited));
    return new Launching(heads(ids), all, definitions(ids));
  }

  private LimitedPrograms limited(String namespace) {
    return new LimitedPrograms(new TreeMap<>(limited.getOrDefault(namespace, Map.of())));
  }

  @Override
  public synchronized Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return of(shownHeads == null ? heads : shownHeads, ids);
  }

  @Override
  public synchronized Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return of(shownDefinitions == null ? definitions : shownDefinitions, ids);
  }

  /**
   * From now on, the recent reads return the state that is stored at this instant, whatever is
   * stored later.
   */
  public synchronized void stopShowingChanges() {
    shownHeads = Map.copyOf(heads);
    shownDefinitions = Map.copyOf(definitions);
  }

  private static <T> Map<ScheduleId, T> of(Map<ScheduleId, T> all, Collection<ScheduleId> ids) {
    return ids.stream()
        .distinct()
        .filter(all::containsKey)
        .collect(Collectors.toMap(id -> id, all::get));
  }

  @Override
  public synchronized Optional<StoredSchedule> find(ScheduleId id) {
    Head head = heads.get(id);
    Definition definition = definitions.get(id);
    return head == null || definition == null
        ? Optional.empty()
        : Optional.of(new StoredSchedule(head, definition));
  }

  @Override
  public synchronized Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids) {
    return of(definitions, ids);
  }

  @Override
  public synchronized Optional<Definition> former(ScheduleId id, long generation) {
    return Optional.ofNullable(former.getOrDefault(id, Map.of()).get(generation));
  }

  @Override
  public synchronized boolean save(Change change) {
    ScheduleId id = change.after().id();
    Head before = change.before();
    Head stored = heads.get(id);
    if (before == null ? stored != null : stored == null || stored.version() != before.version()) {
      return false;
    }
    demand(id.namespace(), change.demands());
    heads.put(id, change.after());
    if (change.former() != null) {
      former
          .computeIfAbsent(id, any -> new HashMap<>())
          .put(change.former().generation(), change.former());
    }
    if (change.definition() == null) {
      definitions.remove(id);
    } else {
      definitions.put(id, change.definition());
    }
    Set<String> stale = change.staleKeys();
    if (before != null) {
      entries.removeIf(
          entry ->
              entry.id().equals(id)
                  && entry.generation() == before.generation()
                  && (stale == null || stale.contains(entry.eventKey())));
    }
    change.keys().forEach(key -> entries.add(new Entry(id, change.after().generation(), key)));
    timers.put(change.timers());
    return true;
  }

  private void demand(String namespace, DemandCounts changes) {
    gates.demand(changes.atGates());
    Map<Integer, Long> buckets = limited.computeIfAbsent(namespace, any -> new HashMap<>());
    changes.inBuckets().forEach((bucket, count) -> buckets.merge(bucket, count, Long::sum));
  }

  @Override
  public synchronized Page<StoredSchedule> list(
      String namespace, ListFilter filter, int limit, @Nullable String next) {
    Page.requireToken(next, TextForm.NAME_PATTERN);
    Set<ScheduleId> ofKey =
        filter.eventKey() == null ? Set.of() : withEventKey(namespace, filter.eventKey());
    return page(
        stored ->
            stored.head().id().namespace().equals(namespace)
                && (filter.eventKey() == null || ofKey.contains(stored.head().id()))
                && filter.matches(stored),
        limit,
        next == null ? null : new ScheduleId(namespace, next),
        ScheduleId::name);
  }

  @Override
  public synchronized Set<String> programs(String namespace) {
    return heads.values().stream()
        .filter(head -> head.id().namespace().equals(namespace) && !head.isDeleted())
        .map(Head::program)
        .collect(Collectors.toSet());
  }

  @Override
  public synchronized Page<ScheduleId> ofApp(AppId app, @Nullable String after) {
    return new Page<>(
        heads.values().stream()
            .filter(head -> !head.isDeleted() && app.name().equals(head.app()))
            .map(Head::id)
            .filter(id -> id.namespace().equals(app.namespace()))
            .filter(id -> after == null || id.name().compareTo(after) > 0)
            .sorted()
            .toList(),
        null);
  }

  @Override
  public synchronized Page<ScheduleId> withEventKey(
      String namespace, String eventKey, @Nullable String after) {
    List<ScheduleId> found =
        entries.stream()
            .filter(e -> e.eventKey().equals(eventKey) && e.id().namespace().equals(namespace))
            .map(Entry::id)
            .filter(id -> after == null || id.name().compareTo(after) > 0)
            .distinct()
            .sorted(Comparator.comparing(ScheduleId::name))
            .limit(MOST_OF_KEY + 1L)
            .toList();
    if (found.size() <= MOST_OF_KEY) {
      return new Page<>(found, null);
    }
    return new Page<>(found.subList(0, MOST_OF_KEY), found.get(MOST_OF_KEY - 1).name());
  }

  @Override
  public synchronized boolean indexShows(ScheduleId id, long generation, Set<String> eventKeys) {
    return eventKeys.stream().allMatch(key -> entries.contains(new Entry(id, generation, key)));
  }

  @Override
  public synchronized Page<StoredSchedule> walk(WalkPart part, int limit, @Nullable String next) {
    return page(
        stored ->
            stored.head().state() == ScheduleState.ACTIVE
                && Math.floorMod(stored.head().id().namespace().hashCode(), part.of())
                    == part.number(),
        limit,
        next == null ? null : ScheduleId.parse(next),
        ScheduleId::toString);
  }

  private Page<StoredSchedule> page(
      Predicate<StoredSchedule> wanted,
      int limit,
      @Nullable ScheduleId after,
      Function<ScheduleId, String> token) {
    Stream<ScheduleId> ids =
        (after == null ? definitions : definitions.tailMap(after, false)).keySet().stream();
    List<StoredSchedule> found =
        ids.flatMap(id -> find(id).stream()).filter(wanted).limit(limit + 1L).toList();
    if (found.size() <= limit) {
      return new Page<>(found, null);
    }
    List<StoredSchedule> items = found.subList(0, limit);
    return new Page<>(items, token.apply(items.get(limit - 1).head().id()));
  }

  /** Removes a tombstone, as DynamoDB's time to live does. */
  public synchronized void expire(ScheduleId id) {
    Head head = heads.get(id);
    if (head != null && head.isDeleted()) {
      heads.remove(id);
    }
  }
}
