package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Schedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it is stored.
 *
 * @param generation grows with every change but one of description, tags or state
 * @param etag for {@link Namespace#replace}
 * @param nextFire null if it is not ACTIVE, or fires no more by the clock alone
 * @param suspended who suspended it; null unless SUSPENDED
 * @param document with all defaults
 * @param cancelled the jobs that storing or suspending it cancels; null in all other answers
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

  /** Where it is in its life. */
  public enum State {
    ACTIVE,
    SUSPENDED,
    /** It fires no more. */
    COMPLETED
  }

  /**
   * @param at since when it is suspended in this mode
   * @param until when it resumes by itself; null for never
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Suspension(
      SuspendMode mode, @Nullable String reason, @Nullable Instant until, String by, Instant at) {}

  /** The document as a value. */
  public Schedule schedule() {
    return Schedule.of(name, document);
  }
}
