package dev.carillon.collect;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.calendar.CalendarReader;
import dev.carillon.calendar.StoredCalendar;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.id.CalendarId;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.job.CollectingJob;
import dev.carillon.job.Job;
import dev.carillon.job.Jobs;
import dev.carillon.schedule.CompiledSchedules.Compiled;
import dev.carillon.schedule.Head;
import dev.carillon.schedule.Head.Suspension;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.schedule.SuspendMode;
import dev.carillon.trigger.LeafCount;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A schedule that is active since 10:00 of one day, and the results of its passes. Times are those
 * of that day, like "10:30" or "10:30:00.001".
 */
final class CollectingSchedule {

  static final ScheduleId ID = new ScheduleId("default", "report");

  final Schedule schedule;
  Compiled compiled;
  Head head;
  @Nullable CollectingJob stored;
  final Set<Long> seen = new HashSet<>();
  final Set<Instant> skipped = new HashSet<>();
  @Nullable Job waiting;
  @Nullable Instant launchedManually;
  int questions;

  CollectingSchedule(String trigger, String... members) {
    String more = members.length == 0 ? "" : ", " + String.join(", ", members);
    String document =
        "{\"trigger\": %s, \"state\": \"ACTIVE\", \"target\": {\"queue\": \"work\", \"template\": {}}%s}"
            .formatted(trigger, more);
    schedule = parsed(document);
    Change created = Lifecycle.create(null, schedule, at("10:00"), "ann");
    compiled = new Compiled(Objects.requireNonNull(created.definition()), schedule);
    head = created.after();
  }

  private static Schedule parsed(String document) {
    try {
      return new ScheduleParser(ZoneOffset.UTC).parse(ID, Json.read(document), at("10:00"));
    } catch (JsonProcessingException fault) {
      throw new IllegalArgumentException(fault);
    }
  }

  // ---- words

  static Instant at(String time) {
    return Instant.parse("2026-03-01T" + (time.length() == 5 ? time + ":00" : time) + "Z");
  }

  static String text(Instant instant) {
    String time = instant.toString().substring(11).replace("Z", "");
    return time.endsWith(":00") ? time.substring(0, 5) : time;
  }

  static String cron(String expression) {
    return "{\"type\": \"cron\", \"expression\": \"%s\"}".formatted(expression);
  }

  static String hourly() {
    return cron("0 0 * * * ?");
  }

  static String cronBut(String expression, String calendar) {
    return "{\"type\": \"cron\", \"expression\": \"%s\", \"exclude\": [\"%s\"]}"
        .formatted(expression, calendar);
  }

  static String partitions(String dataset, int count) {
    return "{\"type\": \"partition\", \"dataset\": \"%s\", \"count\": %d}"
        .formatted(dataset, count);
  }

  static String size(long bytes) {
    return "{\"type\": \"size\", \"stream\": \"clicks\", \"bytes\": %d}".formatted(bytes);
  }

  static String sinceLaunch(String duration) {
    return "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"%s\"}"
        .formatted(duration);
  }

  static String since(String dataset, String duration) {
    return "{\"type\": \"elapsed\", \"since\": {\"type\": \"partition\", \"dataset\": \"%s\"}, \"duration\": \"%s\"}"
        .formatted(dataset, duration);
  }

  static String quiet(String dataset, String period) {
    return "{\"type\": \"quiet\", \"of\": {\"type\": \"partition\", \"dataset\": \"%s\"}, \"period\": \"%s\"}"
        .formatted(dataset, period);
  }

  static String quiet(String dataset, String period, String atMost) {
    return quiet(dataset, period).replaceFirst("}$", ", \"atMost\": \"" + atMost + "\"}");
  }

  static String and(String... triggers) {
    return "{\"type\": \"and\", \"triggers\": [%s]}".formatted(String.join(", ", triggers));
  }

  static String or(String... triggers) {
    return "{\"type\": \"or\", \"triggers\": [%s]}".formatted(String.join(", ", triggers));
  }

  static String timeout(String after, String action) {
    return "\"timeout\": {\"after\": \"%s\", \"action\": \"%s\"}".formatted(after, action);
  }

  static String whilePending(String policy) {
    return "\"whilePending\": \"%s\"".formatted(policy);
  }

  /** An event with this many partitions. */
  static Event event(String id, String dataset, long partitions) {
    return event(id, Map.of("partition:" + dataset, partitions));
  }

  static Event event(String id, Map<String, Long> weights) {
    return new Event(id, "default", at("10:00"), "PARTITION", Json.object(), weights);
  }

  // ---- its state

  CollectingSchedule suspendedAt(String time, SuspendMode mode) {
    Suspension suspension = new Suspension(mode, null, null, "ann", at(time));
    head = Lifecycle.suspend(storedSchedule(), schedule, suspension).after();
    return this;
  }

  CollectingSchedule resumedAt(String time) {
    head = Lifecycle.resume(storedSchedule(), schedule, at(time)).after();
    return this;
  }

  CollectingSchedule pausedFrom(String from, String to, SuspendMode mode) {
    return suspendedAt(from, mode).resumedAt(to);
  }

  private StoredSchedule storedSchedule() {
    return new StoredSchedule(head, compiled.definition());
  }

  /** Makes the calendars of its leaves exclude a time of the day. */
  CollectingSchedule excluding(String calendar, String from, String to) {
    String document =
        "{\"ranges\": [{\"from\": \"2026-03-01T%s\", \"to\": \"2026-03-01T%s\"}]}"
            .formatted(from, to);
    try {
      StoredCalendar excluded =
          StoredCalendar.created(
              new CalendarId("default", calendar),
              new CalendarReader(ZoneOffset.UTC).read(Json.read(document)),
              at("09:00"),
              "ann");
      compiled = new Compiled(compiled.definition(), schedule, Map.of(calendar, excluded));
      return this;
    } catch (JsonProcessingException fault) {
      throw new IllegalArgumentException(fault);
    }
  }

  // ---- its passes

  CollectingSnapshot snapshot(String now) {
    Jobs.StoredCollectingJob before =
        stored == null
            ? null
            : new Jobs.StoredCollectingJob(stored, Set.copyOf(seen), Duration.ofMinutes(10));
    return new CollectingSnapshot(compiled, head, before, waiting, at(now));
  }

  Collected pass(String now, Event... events) {
    return store(CollectingPass.collect(snapshot(now), past(), List.of(events), Instant.MIN));
  }

  Collected reach(String fire) {
    return store(CollectingPass.collect(snapshot(fire), past(), List.of(), at(fire)));
  }

  Collected handOn(String now) {
    return store(CollectingPass.handOn(snapshot(now), past()));
  }

  Collected mergeOrSkip(String now, String... fires) {
    List<JobId> ids = new ArrayList<>();
    for (String fire : fires) {
      ids.add(JobId.ofFire(ID, head.generation(), at(fire)));
    }
    return store(CollectingPass.mergeOrSkip(snapshot(now), ids));
  }

  /** The latest job whose trigger was satisfied launches. */
  void launch() {
    waiting = null;
  }

  /** Stores what has changed, like the functions. */
  private Collected store(Collected collected) {
    if (!collected.hasChanged()) {
      return collected;
    }
    stored = collected.after();
    seen.addAll(collected.newlyCounted());
    for (Job job : collected.jobs()) {
      if (job.id().equals(stored.latest())) {
        waiting = job;
      }
    }
    return collected;
  }

  private OtherJobs past() {
    return new OtherJobs() {
      @Override
      public boolean isSkipped(Instant fire) {
        return skipped.contains(fire);
      }

      @Override
      public Optional<Instant> lastManualLaunchAfter(Instant instant) {
        questions++;
        return Optional.ofNullable(launchedManually).filter(launch -> launch.isAfter(instant));
      }
    };
  }

  // ---- results

  /** The counts of the open job, like "1/2 0/1"; "none" if no job is open. */
  String open() {
    return stored == null || stored.open() == null
        ? "none"
        : counts(stored.open().triggerState().leaves());
  }

  static String counts(List<LeafCount> leaves) {
    return leaves.stream()
        .map(leaf -> leaf.actual() + "/" + leaf.expected())
        .collect(Collectors.joining(" "));
  }

  /** The jobs of a pass, like "PENDING_CONSTRAINT 10:30 2/2". */
  static List<String> jobs(Collected collected) {
    return collected.jobs().stream()
        .map(
            job ->
                "%s %s %s"
                    .formatted(
                        job.state(),
                        text(job.scheduledFor()),
                        job.triggerState() == null ? "plain" : counts(job.triggerState().leaves())))
        .toList();
  }
}
