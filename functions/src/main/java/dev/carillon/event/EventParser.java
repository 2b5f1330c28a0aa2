package dev.carillon.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Faults;
import dev.carillon.document.Json;
import dev.carillon.document.NotJson;
import dev.carillon.event.ParsedMessage.Events;
import dev.carillon.event.ParsedMessage.Malformed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Parses messages into events: messages in Carillon's own form, which is also CDAP's, EventBridge
 * envelopes, and S3 notifications.
 */
public final class EventParser {

  private EventParser() {}

  /**
   * Parses one message of a queue.
   *
   * @param defaultId the id for an event that has none: the id of the message
   * @param now the timestamp for an event that has none
   * @param forcedNamespace if present, the namespace of every event, even of an event that names
   *     another one
   */
  public static ParsedMessage parse(
      String message, String defaultId, Instant now, Optional<String> forcedNamespace) {
    Faults faults = new Faults();
    Bounds.checkSize(message, "", faults);
    if (!faults.none()) {
      return new Malformed(faults.found());
    }
    try {
      JsonNode document = Json.read(message);
      // Other producers can add members to messages, so only lists of events are strict.
      return bounded(document, "", new EventReader(defaultId, now, forcedNamespace, false, faults));
    } catch (JsonProcessingException notJson) {
      faults.add("", NotJson.detail("the message", notJson));
      return new Malformed(faults.found());
    }
  }

  /**
   * Parses one item of a list. An item in Carillon's own form is refused if it has unknown members.
   *
   * @param pointer the pointer of the item, for its faults
   * @see #parse(String, String, Instant, Optional)
   */
  public static ParsedMessage parse(
      JsonNode item,
      String pointer,
      String defaultId,
      Instant now,
      Optional<String> forcedNamespace) {
    Faults faults = new Faults();
    Bounds.checkSize(Json.write(item), pointer, faults);
    return bounded(item, pointer, new EventReader(defaultId, now, forcedNamespace, true, faults));
  }

  private static ParsedMessage bounded(JsonNode document, String pointer, EventReader reader) {
    Bounds.checkContent(document, pointer, reader.faults());
    return outcome(reader.read(document, pointer), reader.faults());
  }

  static ParsedMessage outcome(List<Event> events, Faults faults) {
    return faults.none() ? new Events(events) : new Malformed(faults.found());
  }
}
