package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored pool: it holds READY jobs, and lets a few of them go at a time.
 *
 * @param etag its version
 * @param document the definition in the form of the API, with {@code queue}, {@code depth}, {@code
 *     order}, {@code weights} and {@code maxInFlight}
 * @param status the present status; only in the answer of {@link Pools#pool}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Pool(
    String namespace,
    String name,
    String etag,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy,
    @JsonProperty("pool") JsonNode document,
    @Nullable PoolStatus status) {}
