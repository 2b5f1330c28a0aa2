package dev.carillon.schedule;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.id.CalendarId;
import dev.carillon.id.ScheduleId;
import dev.carillon.time.ExcludingTimes;
import dev.carillon.time.Exclusion;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.Trigger.Leaf;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parsed definitions of schedules. What a generation launches never changes, so each is read
 * and parsed once for as long as it is remembered.
 */
public final class CompiledSchedules {

  private static final int MOST_REMEMBERED = 2_000;
  private static final Logger LOG = LoggerFactory.getLogger(CompiledSchedules.class);

  private final Schedules schedules;
  private final Calendars calendars;
  private final ScheduleParser parser;
  private final Map<ScheduleId, Compiled> remembered =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ScheduleId, Compiled> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  public CompiledSchedules(Schedules schedules, Calendars calendars, ScheduleParser parser) {
    this.schedules = schedules;
    this.calendars = calendars;
    this.parser = parser;
  }

  /** A definition with what was parsed from its document. */
  public record Compiled(
      Definition definition, Schedule schedule, Map<String, StoredCalendar> calendars) {

    /** A schedule that excludes no calendars, or as if they did not exist. */
    public Compiled(Definition definition, Schedule schedule) {
      this(definition, schedule, Map.of());
    }

    /** When one of its time leaves fires; not at times that its calendars exclude. */
    public FireTimes fireTimes(TimeLeaf leaf) {
      FireTimes all = schedule.fireTimes(leaf, definition.generationSince());
      List<StoredCalendar> excluded = calendarsOf(leaf);
      return excluded.isEmpty() ? all : new ExcludingTimes(all, Exclusion.any(excluded));
    }

    /** When each of its time leaves fires; not at times that its calendars exclude. */
    public List<FireTimes> fireTimes() {
      return timeLeaves().map(this::fireTimes).toList();
    }

    /** Whether calendars exclude what is a fire otherwise. */
    public boolean isExcluded(Instant fire) {
      return !calendars.isEmpty()
          && timeLeaves().noneMatch(leaf -> fires(leaf, fire) && excludedBy(leaf, fire).isEmpty());
    }

    /**
     * As it was when a fire became a job: if calendars exclude that now, they did not then. They
     * know no more of themselves than their last change.
     */
    public Compiled asFor(Instant fire) {
      return isExcluded(fire) ? new Compiled(definition, schedule) : this;
    }

    /** The names of the calendars that exclude a fire. */
    public Set<String> excludedBy(Instant fire) {
      return timeLeaves()
          .filter(leaf -> fires(leaf, fire))
          .flatMap(leaf -> excludedBy(leaf, fire).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<TimeLeaf> timeLeaves() {
      return schedule.trigger().leaves().stream()
          .filter(TimeLeaf.class::isInstance)
          .map(TimeLeaf.class::cast);
    }

    /** The places of its leaves that have a fire at an instant, excluded or not. */
    public List<Integer> leavesFiring(Instant instant) {
      List<Integer> firing = new ArrayList<>();
      List<Leaf> leaves = schedule.trigger().leaves();
      for (int place = 0; place < leaves.size(); place++) {
        if (leaves.get(place) instanceof TimeLeaf leaf && fires(leaf, instant)) {
          firing.add(place);
        }
      }
      return firing;
    }

    private boolean fires(TimeLeaf leaf, Instant instant) {
      return schedule
          .fireTimes(leaf, definition.generationSince())
          .next(instant.minusMillis(1))
          .filter(fire -> fire.at().equals(instant))
          .isPresent();
    }

    private List<String> excludedBy(TimeLeaf leaf, Instant instant) {
      return calendarsOf(leaf).stream()
          .filter(calendar -> calendar.around(instant).isPresent())
          .map(calendar -> calendar.id().name())
          .toList();
    }

    private List<StoredCalendar> calendarsOf(TimeLeaf leaf) {
      return leaf.adjustment().exclude().stream()
          .flatMap(name -> Stream.ofNullable(calendars.get(name)))
          .toList();
    }
  }

  /**
   * The schedules of the heads, without those whose definition is of another generation than the
   * head by now, or cannot be read: which may be as a newer version has stored it.
   */
  public Map<ScheduleId, Compiled> of(Collection<Head> heads) {
    return of(heads, Map.of());
  }

  /** The same, without reading those definitions that were read before. */
  public Map<ScheduleId, Compiled> of(
      Collection<Head> heads, Map<ScheduleId, Definition> definitions) {
    Map<ScheduleId, Compiled> found = new HashMap<>();
    List<Head> missing = new ArrayList<>();
    for (Head head : heads) {
      Compiled compiled = remembered(head.id());
      if (compiled != null && compiled.definition().generation() == head.generation()) {
        found.put(head.id(), compiled);
      } else if (!head.isDeleted()) {
        missing.add(head);
      }
    }
    compile(missing, definitions, found);
    if (!missing.isEmpty()) {
      compile(missing, schedules.recentDefinitions(ids(missing)), found);
    }
    if (!missing.isEmpty()) {
      compile(missing, schedules.definitions(ids(missing)), found);
    }
    return withCalendars(calendars, found);
  }

  /**
   * The same with the calendars that they exclude, as they are now: what falls due after a change
   * of a calendar returned must meet it, so they are not remembered. Costs nothing where none is
   * excluded. One that does not exist is left out, as if it excluded nothing.
   */
  public static <K> Map<K, Compiled> withCalendars(
      Calendars calendars, Map<K, Compiled> schedules) {
    Set<CalendarId> named = new HashSet<>();
    for (Compiled compiled : schedules.values()) {
      named.addAll(calendarsOf(compiled.schedule()));
    }
    if (named.isEmpty()) {
      return schedules;
    }
    Map<CalendarId, StoredCalendar> found = calendars.find(named);
    Map<K, Compiled> complete = new HashMap<>();
    schedules.forEach(
        (key, compiled) ->
            complete.put(
                key,
                new Compiled(
                    compiled.definition(),
                    compiled.schedule(),
                    calendarsOf(compiled.schedule()).stream()
                        .flatMap(id -> Stream.ofNullable(found.get(id)))
                        .collect(Collectors.toMap(it -> it.id().name(), it -> it)))));
    return complete;
  }

  private static List<CalendarId> calendarsOf(Schedule schedule) {
    List<CalendarId> calendars = new ArrayList<>();
    for (String name : schedule.trigger().calendars()) {
      calendars.add(new CalendarId(schedule.id().namespace(), name));
    }
    return calendars;
  }

  private static List<ScheduleId> ids(List<Head> heads) {
    List<ScheduleId> ids = new ArrayList<>();
    heads.forEach(head -> ids.add(head.id()));
    return ids;
  }

  /** Takes those from the missing whose definitions are these, found or not to be read. */
  private void compile(
      List<Head> missing,
      Map<ScheduleId, Definition> definitions,
      Map<ScheduleId, Compiled> found) {
    missing.removeIf(
        head -> {
          Definition definition = definitions.get(head.id());
          if (definition == null || definition.generation() != head.generation()) {
            return false;
          }
          compiled(definition)
              .ifPresent(
                  compiled -> {
                    remember(head.id(), compiled);
                    found.put(head.id(), compiled);
                  });
          return true;
        });
  }

  private Optional<Compiled> compiled(Definition definition) {
    try {
      return Optional.of(new Compiled(definition, parser.parseStored(definition)));
    } catch (RuntimeException damaged) {
      LOG.error("the definition of {} cannot be read", definition.id(), damaged);
      return Optional.empty();
    }
  }

  /** Forgets all: what was remembered may be so old that generations have begun anew. */
  public synchronized void forget() {
    remembered.clear();
  }

  private synchronized @Nullable Compiled remembered(ScheduleId id) {
    return remembered.get(id);
  }

  private synchronized void remember(ScheduleId id, Compiled compiled) {
    remembered.put(id, compiled);
  }
}
