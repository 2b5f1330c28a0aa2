package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule.
 *
 * @param generation grows with every change except a change of description, tags or state
 * @param etag the version for {@link Namespace#replace}
 * @param stateName the name of its {@link #state}
 * @param nextFire null if the schedule is not ACTIVE or has no further fire
 * @param generationSince when the definition was stored; a rate without an anchor counts from here
 * @param activeSince when the definition was stored or the schedule was resumed, whichever was
 *     later; null unless ACTIVE
 * @param suspended the suspension; null unless SUSPENDED
 * @param document the document with all defaults
 * @param cancelled the jobs that the request cancels; null unless this is the answer to a request
 *     that stores or suspends the schedule
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record StoredSchedule(
    String namespace,
    @JsonProperty(required = true) String name,
    long generation,
    String etag,
    @JsonProperty(value = "state", required = true) String stateName,
    @Nullable Instant nextFire,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    Instant generationSince,
    @Nullable Instant activeSince,
    @Nullable Suspension suspended,
    @JsonProperty("schedule") JsonNode document,
    @Nullable Cancelled cancelled) {

  /** The state; UNRECOGNIZED if only a newer server knows it. */
  public State state() {
    return Known.of(stateName, State.UNRECOGNIZED);
  }

  /** The states of a schedule. */
  public enum State {
    ACTIVE,
    SUSPENDED,
    /** The schedule has no more fires. */
    COMPLETED,
    /** A state that only a newer server knows. */
    UNRECOGNIZED
  }

  /**
   * @param modeName the name of its {@link #mode}
   * @param at when the suspension in this mode began
   * @param until when it ends; null for no end
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Suspension(
      @JsonProperty(value = "mode", required = true) String modeName,
      @Nullable String reason,
      @Nullable Instant until,
      String by,
      Instant at) {

    /** The mode; UNRECOGNIZED if only a newer server knows it. */
    public SuspendMode mode() {
      return Known.of(modeName.toUpperCase(Locale.ROOT), SuspendMode.UNRECOGNIZED);
    }
  }

  /**
   * Reads one schedule of a list. It reads each member itself, because an object mapper would take
   * much longer to start.
   */
  @SuppressWarnings("NullAway") // a member that the answer lacks stays null
  static StoredSchedule of(JsonNode item) {
    return new StoredSchedule(
        text(item, "namespace"),
        Json.member(item, "name").asText(),
        item.path("generation").asLong(),
        text(item, "etag"),
        Json.member(item, "state").asText(),
        instant(item, "nextFire"),
        instant(item, "createdAt"),
        text(item, "createdBy"),
        instant(item, "updatedAt"),
        instant(item, "generationSince"),
        instant(item, "activeSince"),
        value(item, "suspended", Suspension.class),
        item.path("schedule"),
        value(item, "cancelled", Cancelled.class));
  }

  private static @Nullable String text(JsonNode item, String member) {
    return item.path(member).textValue();
  }

  private static @Nullable Instant instant(JsonNode item, String member) {
    String text = item.path(member).textValue();
    return text == null ? null : Instant.parse(text);
  }

  private static <T> @Nullable T value(JsonNode item, String member, Class<T> type) {
    return item.hasNonNull(member) ? Json.read(item.path(member), type) : null;
  }

  /** The document as a value. */
  public Schedule schedule() {
    return Schedule.of(name, document);
  }
}
