package dev.carillon.checker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Json;
import dev.carillon.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A check as it travels: {@code {"due": epoch milliseconds, "jobs": ["…"]}}. */
public final class CheckJson {

  private CheckJson() {}

  public static String write(Check check) {
    ObjectNode message = Json.object().put("due", check.due().toEpochMilli());
    ArrayNode jobs = message.putArray("jobs");
    check.jobs().forEach(job -> jobs.add(job.toString()));
    return Json.write(message);
  }

  /**
   * @throws IllegalArgumentException if it is no check
   */
  public static Check read(String body) {
    try {
      JsonNode message = Json.read(body);
      List<JobId> jobs = new ArrayList<>();
      message.path("jobs").forEach(job -> jobs.add(JobId.parse(job.asText())));
      if (!message.path("due").isIntegralNumber() || jobs.isEmpty()) {
        throw new IllegalArgumentException("no due instant or no jobs");
      }
      return new Check(Instant.ofEpochMilli(message.path("due").longValue()), jobs);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException("not JSON", notJson);
    }
  }
}
