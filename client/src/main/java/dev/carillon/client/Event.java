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
 * An event that triggers can wait for.
 *
 * @param id the deduplication id; an event counts once, even if it is sent several times within ten
 *     minutes
 * @param timestamp milliseconds since 1970; null for the time of arrival
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Event(String id, @Nullable Long timestamp, String eventType, JsonNode payload) {

  /** An event for new partitions of a data set. */
  public static Event partitions(String dataset, List<String> keys) {
    ObjectNode payload = Json.object().put("datasetId", dataset);
    payload.set("partitionKeys", Json.tree(keys));
    return of("PARTITION", payload);
  }

  /** An event for new bytes of a stream. */
  public static Event size(String stream, long bytes) {
    return of("SIZE", Json.object().put("streamId", stream).put("bytes", bytes));
  }

  /**
   * An event for the start or end of a program.
   *
   * @param runId the id of the run, such as the job id; null if unknown
   */
  public static Event programStatus(String program, Trigger.Status status, @Nullable String runId) {
    ObjectNode payload = Json.object().put("programId", program).put("status", status.name());
    if (runId != null) {
      payload.put("runId", runId);
    }
    return of("PROGRAM_STATUS", payload);
  }

  /**
   * An event of any other type. Its event key is {@code event:}, followed by the member {@code key}
   * of the payload, or by the type if the payload has no such member.
   *
   * @param payload a value that {@link Json#tree} converts to an object
   */
  public static Event of(String eventType, Object payload) {
    return new Event(UUID.randomUUID().toString(), null, eventType, Json.tree(payload));
  }

  /** This event with another id, chosen by the sender. */
  public Event withId(String id) {
    return new Event(id, timestamp, eventType, payload);
  }
}
