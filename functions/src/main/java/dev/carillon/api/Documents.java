package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.id.ScheduleId;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.TimeLeaf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the documents that users send, and refuses targets that are not allowed here. */
final class Documents {

  private static final String QUEUE = "/target/queue";

  private final ScheduleParser parser;
  private final ExcludedCalendars calendars;
  private final TargetPolicy policy;

  Documents(ScheduleParser parser, ExcludedCalendars calendars, TargetPolicy policy) {
    this.parser = parser;
    this.calendars = calendars;
    this.policy = policy;
  }

  /**
   * The schedule that a document describes.
   *
   * @param stored what it would replace: if the trigger stays as it is, it does not matter that its
   *     times are past
   */
  Schedule read(ScheduleId id, JsonNode document, @Nullable Schedule stored, Instant now) {
    List<Fault> faults = new ArrayList<>();
    Schedule read = null;
    try {
      read = parser.parse(id, document, now);
    } catch (InvalidDocument invalid) {
      read = unchangedInTime(id, document, stored).orElse(null);
      if (read == null) {
        faults.addAll(invalid.faults());
      }
    }
    targetFault(id.namespace(), document)
        .filter(fault -> faults.stream().noneMatch(known -> known.pointer().equals(QUEUE)))
        .ifPresent(faults::add);
    if (read == null || stored == null || !areSameTimes(read, stored)) {
      faults.addAll(calendars.faults(id, document, read, now));
    }
    if (read == null || !faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return read;
  }

  private Optional<Schedule> unchangedInTime(
      ScheduleId id, JsonNode document, @Nullable Schedule stored) {
    if (stored == null) {
      return Optional.empty();
    }
    try {
      Schedule read = parser.parse(id, document, Instant.EPOCH);
      return areSameTimes(read, stored) ? Optional.of(read) : Optional.empty();
    } catch (InvalidDocument invalid) {
      return Optional.empty();
    }
  }

  /** Whether it is right, but has no fire left, after the last of which it is deleted. */
  boolean isOver(ScheduleId id, JsonNode document, Instant now) {
    try {
      Schedule read = parser.parse(id, document, Instant.EPOCH);
      return read.deleteAfterCompletion()
          && read.trigger().isPlainTime()
          && read.trigger().leaves().stream().noneMatch(leaf -> fires(read, leaf, now))
          && targetFault(id.namespace(), document).isEmpty();
    } catch (InvalidDocument invalid) {
      return false;
    }
  }

  private static boolean fires(Schedule schedule, Trigger.Leaf leaf, Instant after) {
    return leaf instanceof TimeLeaf time && schedule.fireTimes(time, after).next(after).isPresent();
  }

  private static boolean areSameTimes(Schedule one, Schedule other) {
    return one.trigger().equals(other.trigger()) && one.zone().equals(other.zone());
  }

  private Optional<Fault> targetFault(String namespace, JsonNode document) {
    JsonNode queue = document.path("target").path("queue");
    if (!queue.isTextual()) {
      return Optional.empty();
    }
    try {
      return policy
          .refusal(namespace, policy.resolve(queue.textValue()))
          .map(refusal -> new Fault(QUEUE, refusal));
    } catch (IllegalArgumentException noQueue) {
      return Optional.of(new Fault(QUEUE, String.valueOf(noQueue.getMessage())));
    }
  }

  /** The ARN of its target queue. */
  String targetArn(Schedule schedule) {
    return policy.resolve(schedule.target().queue());
  }
}
