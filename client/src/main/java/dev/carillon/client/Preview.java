package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Schedule;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The next fires.
 *
 * @param description the trigger in words
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Preview(String description, List<Fire> fires) {

  static ObjectNode request(Schedule schedule, @Nullable Instant from, int count) {
    ObjectNode body = Json.object().put("count", count);
    body.set("schedule", schedule.document());
    return body.put("from", from == null ? null : from.toString());
  }

  /**
   * @param local the fire's instant in the trigger's zone, with its offset
   * @param dst {@code gap} if the fire was moved because its local time does not exist, {@code
   *     overlap} if its local time occurs twice; otherwise null
   * @param request the launch request; null if Carillon could not send it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Fire(
      Instant scheduledFor, String local, @Nullable String dst, @Nullable Request request) {}

  /**
   * @param body the exact text
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Request(String body, Map<String, String> attributes) {}
}
