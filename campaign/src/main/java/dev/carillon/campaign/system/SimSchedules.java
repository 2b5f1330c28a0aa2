package dev.carillon.campaign.system;

import dev.carillon.campaign.engine.FaultKind;
import dev.carillon.campaign.engine.Link;
import dev.carillon.campaign.engine.ReplicatedIndex;
import dev.carillon.campaign.engine.SeededRandom;
import dev.carillon.id.AppId;
import dev.carillon.id.Page;
import dev.carillon.id.ScheduleId;
import dev.carillon.memory.MemorySchedules;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.StoredSchedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Schedules behind a simulated connection, with an index of event keys and eventually consistent
 * reads that lag.
 */
public final class SimSchedules implements Schedules {

  /** The longest lag of an index, in milliseconds. */
  public static final long LONGEST_LAG = 3_000;

  private final MemorySchedules store;
  private final Link link;
  private final int page;
  private final ReplicatedIndex<Entry, Boolean> index;
  private final ReplicatedIndex<ScheduleId, Head> recentHeads;
  private final ReplicatedIndex<ScheduleId, Definition> recentDefinitions;

  private record Entry(ScheduleId id, long generation, String eventKey) {}

  public SimSchedules(MemorySchedules store, Link link) {
    this(store, link, Integer.MAX_VALUE, null, null);
  }

  /**
   * @param page the most schedules of an event key that one read of the index finds
   * @param copies draws which copy of the index of event keys a read comes from; null for a single
   *     copy
   * @param otherCopies draws the copy for the list of a namespace and for eventually consistent
   *     reads
   */
  public SimSchedules(
      MemorySchedules store,
      Link link,
      int page,
      @Nullable SeededRandom copies,
      @Nullable SeededRandom otherCopies) {
    this.page = page;
    this.store = store;
    this.link = link;
    this.index = lagging(FaultKind.INDEX_LAG, FaultKind.INDEX_STEPPED_BACK, copies);
    this.recentHeads = lagging(FaultKind.STALE_READ, FaultKind.READ_STEPPED_BACK, otherCopies);
    this.recentDefinitions =
        lagging(FaultKind.STALE_READ, FaultKind.READ_STEPPED_BACK, otherCopies);
  }

  private <K, V> ReplicatedIndex<K, V> lagging(
      FaultKind lag, FaultKind stepBack, @Nullable SeededRandom copies) {
    return new ReplicatedIndex<>(
        link.simulator(), link.faults(), lag, stepBack, copies, LONGEST_LAG);
  }

  @Override
  public Map<ScheduleId, Head> heads(Collection<ScheduleId> ids) {
    return link.read("schedules.heads", ids, () -> store.heads(ids));
  }

  /**
   * Returns no definitions, as if all of them were too large for a head's item. If a definition
   * were read together with its head, it could never be stale.
   */
  @Override
  public Launching forLaunch(Collection<ScheduleId> ids) {
    Launching read = link.read("schedules.forLaunch", ids, () -> store.forLaunch(ids));
    return new Launching(read.heads(), read.limited(), Map.of());
  }

  @Override
  public Map<ScheduleId, Head> recentHeads(Collection<ScheduleId> ids) {
    return link.read("schedules.recentHeads", ids, () -> shown(recentHeads, ids));
  }

  @Override
  public Set<String> programs(String namespace) {
    return link.read("schedules.programs", namespace, () -> store.programs(namespace));
  }

  @Override
  public Optional<StoredSchedule> find(ScheduleId id) {
    return link.read("schedules.find", id, () -> store.find(id));
  }

  @Override
  public Map<ScheduleId, Definition> definitions(Collection<ScheduleId> ids) {
    return link.read("schedules.definitions", ids, () -> store.definitions(ids));
  }

  @Override
  public Map<ScheduleId, Definition> recentDefinitions(Collection<ScheduleId> ids) {
    return link.read("schedules.recentDefinitions", ids, () -> shown(recentDefinitions, ids));
  }

  @Override
  public Optional<Definition> former(ScheduleId id, long generation) {
    return link.read("schedules.former", id, () -> store.former(id, generation));
  }

  private static <V> Map<ScheduleId, V> shown(
      ReplicatedIndex<ScheduleId, V> all, Collection<ScheduleId> ids) {
    Map<ScheduleId, V> found = new HashMap<>();
    for (ScheduleId id : ids) {
      V shown = all.shown(id);
      if (shown != null) {
        found.put(id, shown);
      }
    }
    return found;
  }

  @Override
  public boolean save(Change change) {
    Head after = change.after();
    return link.conditional(
        "schedules.save",
        after,
        () -> link.countLostRace(stored(change)),
        () -> link.isOwn(after, store.heads(List.of(after.id())).get(after.id())));
  }

  /** Stores a change without a simulated call. */
  void store(Change change) {
    if (!stored(change)) {
      throw new IllegalStateException(change.after().id() + " is stored already");
    }
  }

  /** A stored schedule, read without a simulated call. */
  StoredSchedule stored(ScheduleId id) {
    return store.find(id).orElseThrow();
  }

  private boolean stored(Change change) {
    if (!store.save(change)) {
      return false;
    }
    ScheduleId id = change.after().id();
    recentHeads.change(id, change.after());
    recentDefinitions.change(id, change.definition());
    Head before = change.before();
    Set<String> stale = change.staleKeys();
    if (before != null && stale != null) {
      new TreeSet<>(stale)
          .forEach(key -> index.change(new Entry(id, before.generation(), key), null));
    }
    new TreeSet<>(change.keys())
        .forEach(key -> index.change(new Entry(id, change.after().generation(), key), true));
    return true;
  }

  @Override
  public Page<StoredSchedule> list(
      String namespace, ListFilter filter, int limit, @Nullable String next) {
    return link.read(
        "schedules.list", namespace, () -> new Page<>(listed(namespace, filter), null));
  }

  /** The schedules whose heads a lagging index shows, with the definitions that are stored now. */
  private List<StoredSchedule> listed(String namespace, ListFilter filter) {
    List<StoredSchedule> found = new ArrayList<>();
    recentHeads.forEachShown(
        (id, head) -> {
          if (id.namespace().equals(namespace) && !head.isDeleted() && filter.matches(head)) {
            store.find(id).filter(filter::matches).ifPresent(found::add);
          }
        });
    return found;
  }

  @Override
  public Page<ScheduleId> ofApp(AppId app, @Nullable String after) {
    return link.read("schedules.ofApp", app, () -> store.ofApp(app, after));
  }

  @Override
  public Page<ScheduleId> withEventKey(String namespace, String eventKey, @Nullable String after) {
    Set<ScheduleId> shown =
        link.read("schedules.withEventKey", eventKey, () -> shown(namespace, eventKey));
    List<ScheduleId> rest =
        shown.stream().filter(id -> after == null || id.name().compareTo(after) > 0).toList();
    return rest.size() <= page
        ? new Page<>(rest, null)
        : new Page<>(rest.subList(0, page), rest.get(page - 1).name());
  }

  private Set<ScheduleId> shown(String namespace, String eventKey) {
    Set<ScheduleId> found = new TreeSet<>();
    index.forEachShown(
        (entry, there) -> {
          if (entry.eventKey().equals(eventKey) && entry.id().namespace().equals(namespace)) {
            found.add(entry.id());
          }
        });
    return found;
  }

  @Override
  public boolean indexShows(ScheduleId id, long generation, Set<String> eventKeys) {
    return link.read("schedules.indexShows", id, () -> shows(id, generation, eventKeys));
  }

  private boolean shows(ScheduleId id, long generation, Set<String> eventKeys) {
    Set<String> missing = new HashSet<>(eventKeys);
    index.forEachShown(
        (entry, there) -> {
          if (entry.id().equals(id) && entry.generation() == generation) {
            missing.remove(entry.eventKey());
          }
        });
    return missing.isEmpty();
  }

  @Override
  public Page<StoredSchedule> walk(WalkPart part, int limit, @Nullable String next) {
    return link.read("schedules.walk", part, () -> store.walk(part, limit, next));
  }
}
