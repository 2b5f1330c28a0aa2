package dev.carillon.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.BackfillId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A check as it travels: {@code {"due": epoch milliseconds, "jobs": ["…"], "gates": ["…"],
 * "backfills": ["…"]}}; what there is none of is left out.
 */
public final class CheckJson {

  private CheckJson() {}

  public static String write(Check check) {
    ObjectNode message = Json.object().put("due", check.due().toEpochMilli());
    write(check.jobs(), "jobs", message);
    write(check.gates(), "gates", message);
    write(check.backfills(), "backfills", message);
    return Json.write(message);
  }

  private static void write(List<? extends Subject> subjects, String name, ObjectNode message) {
    if (!subjects.isEmpty()) {
      ArrayNode list = message.putArray(name);
      for (Subject subject : subjects) {
        list.add(subject.toString());
      }
    }
  }

  /**
   * @throws IllegalArgumentException if it is no check
   */
  public static Check read(String body) {
    try {
      JsonNode message = Json.read(body);
      List<JobId> jobs = new ArrayList<>();
      for (JsonNode job : message.path("jobs")) {
        jobs.add(JobId.parse(job.asText()));
      }
      List<GateKey> gates = new ArrayList<>();
      for (JsonNode gate : message.path("gates")) {
        gates.add(GateKey.parse(gate.asText()));
      }
      List<BackfillId> backfills = new ArrayList<>();
      for (JsonNode backfill : message.path("backfills")) {
        backfills.add(BackfillId.parse(backfill.asText()));
      }
      Instant due = Instant.ofEpochMilli(message.path("due").longValue());
      Check check = new Check(due, jobs, gates, backfills);
      if (!message.path("due").isIntegralNumber() || check.subjects().isEmpty()) {
        throw new IllegalArgumentException("no due instant, or nothing to look at");
      }
      return check;
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException("not JSON", notJson);
    }
  }
}
