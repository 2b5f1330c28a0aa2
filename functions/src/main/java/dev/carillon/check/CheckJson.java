package dev.carillon.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A check as it travels: {@code {"due": epoch milliseconds, "wake": ["subject", …]}}. */
public final class CheckJson {

  private CheckJson() {}

  public static String write(Check check) {
    ObjectNode message = Json.object().put("due", check.due().toEpochMilli());
    ArrayNode subjects = message.putArray("wake");
    check.subjects().forEach(subject -> subjects.add(subject.toString()));
    return Json.write(message);
  }

  /**
   * @throws IllegalArgumentException if it is no check
   */
  public static Check read(String body) {
    try {
      JsonNode message = Json.read(body);
      List<Subject> subjects = new ArrayList<>();
      for (JsonNode subject : message.path("wake")) {
        subjects.add(Subject.parse(subject.asText()));
      }
      if (!message.path("due").isIntegralNumber() || subjects.isEmpty()) {
        throw new IllegalArgumentException("no due instant, or no subject");
      }
      return new Check(Instant.ofEpochMilli(message.path("due").longValue()), subjects);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException("not JSON", notJson);
    }
  }
}
