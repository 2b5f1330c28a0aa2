package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Bounds;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.event.EventParser;
import dev.carillon.event.IngestQueue;
import dev.carillon.event.ParsedMessage;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts events over HTTP. A request is accepted or refused as a whole, unless the queue fails.
 */
final class EventRoutes {

  static final int MOST_EVENTS = 1_000;

  /** The largest request that Lambda accepts. */
  private static final int MOST_BODY_BYTES = 6 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(EventRoutes.class);

  private final IngestQueue queue;
  private final InstantSource clock;
  private final Supplier<UUID> random;

  EventRoutes(IngestQueue queue, InstantSource clock, Supplier<UUID> random) {
    this.queue = queue;
    this.clock = clock;
    this.random = random;
  }

  APIGatewayProxyResponseEvent accept(Call call) {
    String namespace = call.namespace();
    Faults faults = new Faults();
    JsonNode items = items(call.body(MOST_BODY_BYTES), faults);
    List<Event> events = new ArrayList<>();
    for (int index = 0; index < items.size(); index++) {
      events.addAll(read(items.get(index), "/events/" + index, namespace, faults));
    }
    Problem.refuse(faults);
    List<String> messages = events.stream().map(event -> Json.write(event.document())).toList();
    if (!messages.isEmpty()) {
      send(messages);
    }
    ObjectNode answer = Json.object();
    ArrayNode ids = answer.putArray("ids");
    events.forEach(event -> ids.add(event.id()));
    return Answer.of(202, answer);
  }

  /** If the queue fails, the API cannot know which events the queue accepted. */
  private void send(List<String> messages) {
    try {
      queue.send(messages);
    } catch (RuntimeException unavailable) {
      LOG.warn(
          "not all of {} events could be sent to the ingest queue", messages.size(), unavailable);
      throw Problem.unavailable(
          "some of the events may have been accepted; send all of them again: events with their own"
              + " \"id\" count once, events without an \"id\" may count twice");
    }
  }

  private static JsonNode items(JsonNode body, Faults faults) {
    Fields fields = Fields.of(body, "", faults);
    fields.allowOnly(List.of("events"));
    JsonNode items = fields.get("events");
    if (body.isObject() && (!items.isArray() || items.size() > MOST_EVENTS)) {
      String found = items.isArray() ? "; the request has " + items.size() : "";
      fields.refuse("events", "give a list of at most " + MOST_EVENTS + " events" + found);
    }
    Problem.refuse(faults);
    return items;
  }

  private List<Event> read(JsonNode item, String pointer, String namespace, Faults faults) {
    String id = random.get().toString();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    ParsedMessage parsed = EventParser.parse(item, pointer, id, now, Optional.of(namespace));
    if (parsed instanceof ParsedMessage.Malformed malformed) {
      malformed.faults().forEach(fault -> faults.add(fault.pointer(), fault.detail()));
      return List.of();
    }
    List<Event> events = ((ParsedMessage.Events) parsed).events();
    events.forEach(event -> check(event.document(), pointer, faults));
    return events;
  }

  /** Ingest receives the event in Carillon's own form, which has an EventBridge envelope within. */
  private static void check(ObjectNode event, String pointer, Faults faults) {
    Bounds.checkSize(Json.write(event), pointer, faults);
    if (Bounds.depth(event) > Json.DEEPEST) {
      faults.add(
          pointer,
          "objects and lists of the envelope are nested more than %d deep; flatten them"
              .formatted(Json.DEEPEST - 1));
    }
  }
}
