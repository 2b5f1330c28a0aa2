package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The submitted document of one schedule. A valid document is parsed once, even if the request
 * decides on it several times.
 */
final class SubmittedDocument {

  private final ScheduleId id;
  private final JsonNode document;
  private @Nullable Schedule parsed;
  private @Nullable Schedule parsedEvenIfPast;

  SubmittedDocument(ScheduleId id, JsonNode document) {
    this.id = id;
    this.document = document;
  }

  ScheduleId id() {
    return id;
  }

  JsonNode document() {
    return document;
  }

  /**
   * @param now the document is refused if one of its time leaves has no fire after this instant
   * @throws InvalidDocument with every fault
   */
  Schedule parsed(ScheduleParser parser, Instant now) {
    Schedule schedule = parsed == null ? parser.parse(id, document, now) : parsed;
    parsed = schedule;
    return schedule;
  }

  /**
   * The schedule, even if the times of its trigger have passed.
   *
   * @throws InvalidDocument with every fault
   */
  Schedule parsedEvenIfPast(ScheduleParser parser) {
    Schedule schedule =
        parsedEvenIfPast == null ? parser.parse(id, document, Instant.EPOCH) : parsedEvenIfPast;
    parsedEvenIfPast = schedule;
    return schedule;
  }
}
