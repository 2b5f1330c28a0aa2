package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * A stored calendar: a list of local times. A cron or rate that excludes the calendar does not fire
 * at these times.
 *
 * @param etag its version
 * @param document the calendar in the form of the API, with {@code dates}, {@code ranges} and
 *     {@code weekly}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Calendar(
    String namespace,
    String name,
    String etag,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy,
    @JsonProperty("calendar") JsonNode document) {}
