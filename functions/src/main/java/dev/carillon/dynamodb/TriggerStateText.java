package dev.carillon.dynamodb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.job.TriggerState;
import dev.carillon.trigger.LeafCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A trigger state as JSON with short names, because it is stored with each change of its job. */
final class TriggerStateText {

  private TriggerStateText() {}

  static String write(TriggerState triggerState) {
    ObjectNode json = Json.object();
    ArrayNode leaves = json.putArray("leaves");
    for (LeafCount leaf : triggerState.leaves()) {
      ArrayNode parts = leaves.addArray().add(leaf.expected()).add(leaf.actual());
      if (leaf.fire() != null) {
        parts.add(leaf.fire().toEpochMilli());
      }
    }
    ArrayNode events = json.putArray("events");
    for (Event event : triggerState.events()) {
      events.add(write(event));
    }
    json.put("omitted", triggerState.eventsOmitted());
    return Json.write(json);
  }

  static TriggerState read(String text) {
    JsonNode json = Json.readObject(text);
    List<LeafCount> leaves = new ArrayList<>();
    json.get("leaves")
        .forEach(
            leaf ->
                leaves.add(
                    new LeafCount(
                        leaf.get(0).longValue(), leaf.get(1).longValue(), fire(leaf.get(2)))));
    List<Event> events = new ArrayList<>();
    json.get("events").forEach(event -> events.add(readEvent(event)));
    return new TriggerState(
        List.copyOf(leaves), List.copyOf(events), json.get("omitted").longValue());
  }

  private static @Nullable Instant fire(@Nullable JsonNode millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis.longValue());
  }

  private static ObjectNode write(Event event) {
    ObjectNode json = Json.object();
    json.put("id", event.id());
    json.put("ns", event.namespace());
    json.put("at", event.timestamp().toEpochMilli());
    json.put("type", event.eventType());
    json.set("payload", event.payload());
    ObjectNode weights = json.putObject("weights");
    event.weights().forEach(weights::put);
    return json;
  }

  private static Event readEvent(JsonNode json) {
    Map<String, Long> weights = new TreeMap<>();
    json.get("weights")
        .properties()
        .forEach(w -> weights.put(w.getKey(), w.getValue().longValue()));
    return new Event(
        json.get("id").textValue(),
        json.get("ns").textValue(),
        Instant.ofEpochMilli(json.get("at").longValue()),
        json.get("type").textValue(),
        json.get("payload"),
        Collections.unmodifiableMap(weights));
  }
}
