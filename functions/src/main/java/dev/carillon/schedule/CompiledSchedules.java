package dev.carillon.schedule;

import dev.carillon.calendar.Calendars;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.id.CalendarId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.UnreadableItems;
import dev.carillon.time.ExcludingTimes;
import dev.carillon.time.Exclusion;
import dev.carillon.time.FireTimes;
import dev.carillon.trigger.TimeLeaves;
import dev.carillon.trigger.Trigger.Leaf;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parsed definitions of schedules. What a generation launches never changes, so a cache of
 * definitions saves reading and parsing them again.
 */
public final class CompiledSchedules {

  private static final Logger LOG = LoggerFactory.getLogger(CompiledSchedules.class);

  private final Schedules schedules;
  private final Calendars calendars;
  private final ScheduleParser parser;
  private final CompiledCache remembered = new CompiledCache();

  public CompiledSchedules(Schedules schedules, Calendars calendars, ScheduleParser parser) {
    this.schedules = schedules;
    this.calendars = calendars;
    this.parser = parser;
  }

  /** A definition with its parsed document. */
  public record Compiled(
      Definition definition, Schedule schedule, Map<String, StoredCalendar> calendars) {

    /** The definition without calendars, because it has none or they are ignored. */
    public Compiled(Definition definition, Schedule schedule) {
      this(definition, schedule, Map.of());
    }

    /** When a time leaf fires, without the times that its calendars exclude. */
    public FireTimes fireTimes(TimeLeaf leaf) {
      FireTimes all = schedule.fireTimes(leaf, definition.generationSince());
      List<StoredCalendar> excluded = calendarsOf(leaf);
      return excluded.isEmpty() ? all : new ExcludingTimes(all, Exclusion.any(excluded));
    }

    /** When each time leaf fires, without the times that its calendars exclude. */
    public List<FireTimes> fireTimes() {
      return timeLeaves().map(this::fireTimes).toList();
    }

    /**
     * Whether the schedule has only time leaves and no further fire. A fire that a calendar
     * excludes counts, because the calendar can change before the fire is due.
     */
    public boolean isExhausted(Instant now) {
      Instant since = definition.generationSince();
      return schedule.trigger().isPlainTime()
          && timeLeaves().noneMatch(TimeLeaves::isEndless)
          && timeLeaves().allMatch(leaf -> schedule.fireTimes(leaf, since).next(now).isEmpty());
    }

    /** Whether calendars exclude an instant at which the schedule would fire otherwise. */
    public boolean isExcluded(Instant fire) {
      return !calendars.isEmpty()
          && timeLeaves().noneMatch(leaf -> fires(leaf, fire) && excludedBy(leaf, fire).isEmpty());
    }

    /**
     * The definition as it was when a fire became a job. If calendars exclude the fire now, they
     * did not exclude it then. Former versions of calendars are not stored, so the result ignores
     * calendars in this case.
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

    /** The indexes of the leaves that fire at an instant, excluded or not. */
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
   * Returns the schedules of the heads. It leaves out definitions of another generation than the
   * head's, definitions that cannot be read (a newer version may have stored them), and definitions
   * with an unreadable calendar.
   */
  public Map<ScheduleId, Compiled> of(Collection<Head> heads) {
    return of(heads, Map.of());
  }

  /** Like {@link #of(Collection)}, with definitions that were read already. */
  public Map<ScheduleId, Compiled> of(
      Collection<Head> heads, Map<ScheduleId, Definition> definitions) {
    Map<ScheduleId, Compiled> found = new HashMap<>();
    List<Head> missing = new ArrayList<>();
    for (Head head : heads) {
      Compiled compiled = remembered.find(head.id());
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
   * The schedule as it was in one generation; empty if that definition is not stored or cannot be
   * read.
   */
  public Optional<Compiled> of(ScheduleId id, long generation) {
    Compiled known = remembered.find(id);
    Optional<Compiled> found =
        known != null && known.definition().generation() == generation
            ? Optional.of(known)
            : definition(id, generation).flatMap(this::compiled);
    return found.flatMap(
        one -> Optional.ofNullable(withCalendars(calendars, Map.of(id, one)).get(id)));
  }

  private Optional<Definition> definition(ScheduleId id, long generation) {
    return Optional.ofNullable(schedules.definitions(List.of(id)).get(id))
        .filter(current -> current.generation() == generation)
        .or(() -> former(id, generation));
  }

  private Optional<Definition> former(ScheduleId id, long generation) {
    try {
      return schedules.former(id, generation);
    } catch (UnreadableItems damaged) {
      return Optional.empty();
    }
  }

  /**
   * Adds the calendars that the schedules exclude, as they are now. Calendars are not cached,
   * because a change of a calendar must affect each fire that is due after the caller got the
   * answer to the change. For schedules without calendars, this costs nothing. A calendar that does
   * not exist excludes nothing. Schedules that exclude an unreadable calendar are left out.
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
    Set<CalendarId> unreadable = new HashSet<>();
    Map<CalendarId, StoredCalendar> found =
        UnreadableItems.readable(named, unreadable, calendars::find);
    Map<K, Compiled> complete = new HashMap<>();
    schedules.forEach(
        (key, compiled) -> {
          List<CalendarId> own = calendarsOf(compiled.schedule());
          if (Collections.disjoint(own, unreadable)) {
            complete.put(key, withCalendars(compiled, own, found));
          }
        });
    return complete;
  }

  private static Compiled withCalendars(
      Compiled compiled, List<CalendarId> own, Map<CalendarId, StoredCalendar> found) {
    return new Compiled(
        compiled.definition(),
        compiled.schedule(),
        own.stream()
            .flatMap(id -> Stream.ofNullable(found.get(id)))
            .collect(Collectors.toMap(it -> it.id().name(), it -> it)));
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

  /**
   * Compiles those of the missing schedules whose definitions are given. Removes them from {@code
   * missing}, whether or not they can be read.
   */
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
                    remembered.put(head.id(), compiled);
                    found.put(head.id(), compiled);
                  });
          return true;
        });
  }

  private Optional<Compiled> compiled(Definition definition) {
    try {
      return Optional.of(new Compiled(definition, parser.parseStored(definition)));
    } catch (RuntimeException damaged) {
      LOG.error(
          "the definition of {} cannot be read, so its jobs wait; store the schedule again",
          definition.id(),
          damaged);
      return Optional.empty();
    }
  }

  /**
   * Empties the cache. This is needed if entries can be so old that a schedule's generations have
   * started again at 1.
   */
  public void clear() {
    remembered.clear();
  }
}
