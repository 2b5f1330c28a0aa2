package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule.
 *
 * @param generation grows with every change except of description, tags and state
 * @param etag the version for {@link Namespace#replace}
 * @param nextFire null if it is not ACTIVE, or has no further time fire
 * @param suspended the suspension; null unless SUSPENDED
 * @param document the document with all defaults
 * @param cancelled the jobs that the change cancels; null except in answers to stores and
 *     suspensions
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StoredSchedule(
    String namespace,
    String name,
    long generation,
    String etag,
    State state,
    @Nullable Instant nextFire,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    @Nullable Suspension suspended,
    @JsonProperty("schedule") JsonNode document,
    @Nullable Cancelled cancelled) {

  /** The states of a schedule. */
  public enum State {
    ACTIVE,
    SUSPENDED,
    /** It has no more fires. */
    COMPLETED
  }

  /**
   * @param at when the suspension in this mode began
   * @param until when it ends; null for no end
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Suspension(
      SuspendMode mode, @Nullable String reason, @Nullable Instant until, String by, Instant at) {}

  /** The document as a value. */
  public Schedule schedule() {
    return Schedule.of(name, document);
  }
}
