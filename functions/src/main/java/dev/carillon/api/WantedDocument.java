package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Schedule;
import dev.carillon.schedule.ScheduleParser;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The document of one schedule in a request. A valid one is parsed once, however often the request
 * has to decide on it.
 */
final class WantedDocument {

  private final ScheduleId id;
  private final JsonNode document;
  private @Nullable Schedule parsed;
  private @Nullable Schedule timeless;

  WantedDocument(ScheduleId id, JsonNode document) {
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
   * @param now when its times must not all be past
   * @throws InvalidDocument holding every fault
   */
  Schedule parsed(ScheduleParser parser, Instant now) {
    Schedule schedule = parsed == null ? parser.parse(id, document, now) : parsed;
    parsed = schedule;
    return schedule;
  }

  /**
   * The same, whether or not its times are past.
   *
   * @throws InvalidDocument holding every fault
   */
  Schedule timeless(ScheduleParser parser) {
    Schedule schedule = timeless == null ? parser.parse(id, document, Instant.EPOCH) : timeless;
    timeless = schedule;
    return schedule;
  }
}
