package dev.carillon.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.trigger.Trigger.EventLeaf;
import java.time.Instant;
import java.util.Map;

/**
 * A fact from outside, as it reached the ingest queue.
 *
 * @param id identifies the event, so that the event counts only once
 * @param weights by event key, how much the event counts for a leaf with that key: the number of
 *     partitions or bytes, or 1
 */
public record Event(
    String id,
    String namespace,
    Instant timestamp,
    String eventType,
    JsonNode payload,
    Map<String, Long> weights) {

  private static final String KEY_PREFIX = "event:";

  /** How much the event counts for a leaf; 0 if the event does not match the leaf. */
  public long weightFor(EventLeaf leaf) {
    long weight = 0;
    for (String key : leaf.eventKeys()) {
      weight = Math.max(weight, weights.getOrDefault(key, 0L));
    }
    return weight > 0 && leaf.accepts(payload) ? weight : 0;
  }

  /**
   * The event in Carillon's own form, independent of the form in which it arrived. Parsing it gives
   * this event.
   */
  public ObjectNode document() {
    ObjectNode document =
        Json.object()
            .put("id", id)
            .put("namespace", namespace)
            .put("timestamp", timestamp.toEpochMilli())
            .put("eventType", eventType);
    weights.keySet().stream()
        .filter(key -> key.startsWith(KEY_PREFIX))
        .forEach(key -> document.put("key", key.substring(KEY_PREFIX.length())));
    return document.set("payload", payload);
  }
}
