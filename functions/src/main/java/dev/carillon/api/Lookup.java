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

/** Reads stored schedules, and what follows from their definitions. */
final class Lookup {

  private static final Logger LOG = LoggerFactory.getLogger(Lookup.class);

  /** Fires that a user may skip ahead of time. */
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
    return Problem.notFound("there is no schedule " + id);
  }

  /** The head, tombstones included; null if there never was such a schedule. */
  @Nullable Head head(ScheduleId id) {
    return schedules.heads(List.of(id)).get(id);
  }

  /** What a launch goes by. */
  Launching forLaunch(ScheduleId id) {
    return schedules.forLaunch(List.of(id));
  }

  /** A stored definition, with the calendars that it excludes. */
  Compiled compiled(Definition definition) {
    return withCalendars(parsed(definition));
  }

  /** The same with the calendars that it excludes. */
  Compiled withCalendars(Compiled compiled) {
    ScheduleId id = compiled.schedule().id();
    return CompiledSchedules.withCalendars(calendars, Map.of(id, compiled))
        .getOrDefault(id, compiled);
  }

  /**
   * Without calendars.
   *
   * @throws IllegalStateException if it cannot be read, which is nobody's bad input
   */
  Compiled parsed(Definition definition) {
    return new Compiled(definition, parser.parseStored(definition));
  }

  /** A stored schedule whose document is parsed when it is needed. */
  ParsedSchedule parsing(StoredSchedule stored) {
    return ParsedSchedule.of(stored, definition -> parsed(definition).schedule());
  }

  /**
   * When it fires next; null if it is not ACTIVE, or fires no more, or cannot be read. Costs a read
   * for each fire that is tried, so lists use {@link #nextFires}.
   */
  @Nullable Instant nextFire(ParsedSchedule stored, Instant now) {
    Head head = stored.head();
    Compiled compiled = head.state() == ScheduleState.ACTIVE ? readable(stored) : null;
    if (compiled == null) {
      return null;
    }
    Calendar fires = Calendar.of(withCalendars(compiled));
    Instant fire = next(fires, later(now, head.life().beganAt()));
    for (int skipped = 0; fire != null && isSkipped(head, fire); skipped++) {
      fire = skipped < MOST_SKIPPED_AHEAD ? next(fires, fire) : null;
    }
    return fire;
  }

  /** Null if it cannot be read. */
  private static @Nullable Compiled readable(ParsedSchedule stored) {
    try {
      return stored.compiled();
    } catch (IllegalStateException damaged) {
      LOG.error("the next fire of {} is unknown", stored.head().id(), damaged);
      return null;
    }
  }

  private static @Nullable Instant next(Calendar fires, Instant after) {
    return fires.next(after).map(Calendar.Moment::at).orElse(null);
  }

  private boolean isSkipped(Head head, Instant fire) {
    return !skipped(head.id(), head.generation(), List.of(fire)).isEmpty();
  }

  /** Which of these fires were skipped. Costs a read for each. */
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
   * The next fire of each, but one that was skipped ahead of time is not left out; those that are
   * not ACTIVE, or fire no more, are.
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
                Calendar.of(compiled)
                    .next(after.getOrDefault(id, now))
                    .ifPresent(moment -> fires.put(id, moment.at())));
    return fires;
  }

  private static Instant later(Instant first, Instant second) {
    return first.isAfter(second) ? first : second;
  }
}
