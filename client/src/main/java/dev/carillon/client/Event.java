package dev.carillon.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.client.schedule.Trigger;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A fact that triggers may wait for.
 *
 * @param id what makes it count once, however often it is sent within ten minutes
 * @param timestamp milliseconds since 1970; null for when it arrives
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Event(String id, @Nullable Long timestamp, String eventType, JsonNode payload) {

  /** New partitions of a data set. */
  public static Event partitions(String dataset, List<String> keys) {
    ObjectNode payload = Json.object().put("datasetId", dataset);
    payload.set("partitionKeys", Json.tree(keys));
    return of("PARTITION", payload);
  }

  /** So many more bytes of a stream. */
  public static Event size(String stream, long bytes) {
    return of("SIZE", Json.object().put("streamId", stream).put("bytes", bytes));
  }

  /**
   * A program began or ended.
   *
   * @param runId which run of it, like the id of the job; null if that is not known
   */
  public static Event programStatus(String program, Trigger.Status status, @Nullable String runId) {
    ObjectNode payload = Json.object().put("programId", program).put("status", status.name());
    if (runId != null) {
      payload.put("runId", runId);
    }
    return of("PROGRAM_STATUS", payload);
  }

  /**
   * Anything else; its key is {@code event:<key of the payload, or the type>}.
   *
   * @param payload what {@link Json#tree} makes an object of
   */
  public static Event of(String eventType, Object payload) {
    return new Event(UUID.randomUUID().toString(), null, eventType, Json.tree(payload));
  }

  /** The same with an id of its sender's making, which says what it is about. */
  public Event withId(String id) {
    return new Event(id, timestamp, eventType, payload);
  }
}
