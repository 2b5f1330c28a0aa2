package dev.carillon.api;

import dev.carillon.calendar.Calendars;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.JobState;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.CompiledSchedules;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.ScheduleState;
import dev.carillon.schedule.Schedules;
import dev.carillon.schedule.Schedules.Launching;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.UnreadableSchedules;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads stored schedules and what their definitions imply. */
final class Lookup {

  private static final Logger LOG = LoggerFactory.getLogger(Lookup.class);

  /** The number of fires that a user can skip in advance. */
  static final int MOST_SKIPPED_AHEAD = 100;

  private final Schedules schedules;
  private final Calendars calendars;
  private final Jobs jobs;
  private final ScheduleParser parser;

  Lookup(Schedules schedules, Calendars calendars, Jobs jobs, ScheduleParser parser) {
    this.schedules = schedules;
    this.calendars = calendars;
    this.jobs = jobs;
    this.parser = parser;
  }

  Optional<StoredSchedule> find(ScheduleId id) {
    return schedules.find(id);
  }

  StoredSchedule required(ScheduleId id) {
    return find(id).orElseThrow(() -> missing(id));
  }

  static Problem missing(ScheduleId id) {
    return Problem.notFound("there is no schedule " + id + "; list the schedules of the namespace");
  }

  /** The head or the tombstone of a schedule; null if there never was such a schedule. */
  @Nullable Head head(ScheduleId id) {
    return schedules.heads(List.of(id)).get(id);
  }

  /** The state that decides whether jobs of a schedule launch. */
  Launching forLaunch(ScheduleId id) {
    return schedules.forLaunch(List.of(id));
  }

  /** A stored definition with the calendars that it excludes. */
  Compiled compiled(Definition definition) {
    return withCalendars(parsed(definition));
  }

  /**
   * Adds the calendars that a definition excludes.
   *
   * @throws Problem if one of them cannot be read
   */
  Compiled withCalendars(Compiled compiled) {
    return readableCalendars(compiled)
        .orElseThrow(
            () ->
                Problem.unreadable(
                    "a calendar that %s excludes cannot be read; store the calendars %s again"
                        .formatted(
                            compiled.schedule().id(),
                            String.join(", ", compiled.schedule().trigger().calendars()))));
  }

  /** Adds the calendars that a definition excludes; empty if one of them cannot be read. */
  Optional<Compiled> readableCalendars(Compiled compiled) {
    ScheduleId id = compiled.schedule().id();
    return Optional.ofNullable(
        CompiledSchedules.withCalendars(calendars, Map.of(id, compiled)).get(id));
  }

  /**
   * A stored definition without its calendars.
   *
   * @throws UnreadableSchedules if the stored document cannot be parsed; this is not a fault of the
   *     caller
   */
  Compiled parsed(Definition definition) {
    try {
      return new Compiled(definition, parser.parseStored(definition));
    } catch (IllegalStateException damaged) {
      throw new UnreadableSchedules(Set.of(definition.id()), damaged);
    }
  }

  /** A stored schedule whose document is parsed on first use. */
  ParsedSchedule parsing(StoredSchedule stored) {
    return ParsedSchedule.of(stored, definition -> parsed(definition).schedule());
  }

  /**
   * The next fire of a schedule; null if the schedule is not ACTIVE, has no fires left or cannot be
   * parsed. Costs one read for each skipped fire and one more, so lists use {@link #nextFires}.
   */
  @Nullable Instant nextFire(ParsedSchedule stored, Instant now) {
    Head head = stored.head();
    Compiled compiled = head.state() == ScheduleState.ACTIVE ? readable(stored) : null;
    if (compiled == null) {
      return null;
    }
    Compiled complete = readableCalendars(compiled).orElse(null);
    if (complete == null) {
      return null;
    }
    ScheduleFires fires = ScheduleFires.of(complete);
    Instant fire = next(fires, later(now, head.life().beganAt()));
    for (int skipped = 0; fire != null && isSkipped(head, fire); skipped++) {
      fire = skipped < MOST_SKIPPED_AHEAD ? next(fires, fire) : null;
    }
    return fire;
  }

  /** Null if the stored document cannot be parsed. */
  private static @Nullable Compiled readable(ParsedSchedule stored) {
    try {
      return stored.compiled();
    } catch (UnreadableSchedules damaged) {
      LOG.error(
          "the definition of {} cannot be read; store the schedule again",
          stored.head().id(),
          damaged);
      return null;
    }
  }

  private static @Nullable Instant next(ScheduleFires fires, Instant after) {
    return fires.next(after).map(ScheduleFires.Moment::at).orElse(null);
  }

  private boolean isSkipped(Head head, Instant fire) {
    return !skipped(head.id(), head.generation(), List.of(fire)).isEmpty();
  }

  /** Returns those of the given fires that were skipped. Costs one read for each fire. */
  Set<Instant> skipped(Definition definition, List<Instant> fires) {
    return skipped(definition.id(), definition.generation(), fires);
  }

  private Set<Instant> skipped(ScheduleId schedule, long generation, List<Instant> fires) {
    List<JobId> ids = fires.stream().map(fire -> JobId.ofFire(schedule, generation, fire)).toList();
    return jobs.find(ids).values().stream()
        .filter(job -> job.state() == JobState.SKIPPED)
        .map(job -> job.id().at())
        .collect(Collectors.toSet());
  }

  /**
   * The next fires of ACTIVE schedules that have fires left. Does not read which fires were skipped
   * in advance.
   */
  Map<ScheduleId, Instant> nextFires(Collection<StoredSchedule> all, Instant now) {
    Map<ScheduleId, Compiled> active = new HashMap<>();
    Map<ScheduleId, Instant> after = new HashMap<>();
    for (StoredSchedule stored : all) {
      Head head = stored.head();
      if (head.state() == ScheduleState.ACTIVE) {
        Compiled compiled = readable(parsing(stored));
        if (compiled != null) {
          active.put(head.id(), compiled);
          after.put(head.id(), later(now, head.life().beganAt()));
        }
      }
    }
    Map<ScheduleId, Instant> fires = new HashMap<>();
    CompiledSchedules.withCalendars(calendars, active)
        .forEach(
            (id, compiled) ->
                ScheduleFires.of(compiled)
                    .next(after.getOrDefault(id, now))
                    .ifPresent(moment -> fires.put(id, moment.at())));
    return fires;
  }

  private static Instant later(Instant first, Instant second) {
    return first.isAfter(second) ? first : second;
  }
}
