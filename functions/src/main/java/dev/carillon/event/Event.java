package dev.carillon.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;

/**
 * A fact outside, as it reached the ingest queue.
 *
 * @param id what makes it count once
 * @param weights by event key, how much it counts for a leaf with that key: partitions, bytes or 1
 */
public record Event(
    String id,
    String namespace,
    Instant timestamp,
    String eventType,
    JsonNode payload,
    Map<String, Long> weights) {}
