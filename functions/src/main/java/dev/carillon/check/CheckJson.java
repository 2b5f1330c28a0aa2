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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON form of a check: {@code {"due": epoch milliseconds, "wake": ["subject", …]}}. */
public final class CheckJson {

  private CheckJson() {}

  public static String write(Check check) {
    ObjectNode message = Json.object().put("due", check.due().toEpochMilli());
    ArrayNode subjects = message.putArray("wake");
    check.subjects().forEach(subject -> subjects.add(subject.toString()));
    return Json.write(message);
  }

  /**
   * A message as this version understands it.
   *
   * @param known the check of the subjects that this version knows; without subjects if it knows
   *     none
   * @param unknown the message without the known subjects, for a newer version; null if all
   *     subjects are known
   */
  public record Parsed(Check known, @Nullable String unknown) {}

  /**
   * Reads each subject by itself, so that a subject that only a newer version knows does not
   * prevent the processing of the others.
   *
   * @throws IllegalArgumentException if the body is not a check
   */
  public static Parsed read(String body) {
    JsonNode message = json(body);
    JsonNode named = message.path("wake");
    if (!message.path("due").isIntegralNumber() || !named.isArray() || named.isEmpty()) {
      throw new IllegalArgumentException("due or wake is missing");
    }
    List<Subject> known = new ArrayList<>();
    ArrayNode unknown = Json.object().putArray("wake");
    for (JsonNode name : named) {
      subject(name).ifPresentOrElse(known::add, () -> unknown.add(name));
    }
    return new Parsed(
        new Check(Instant.ofEpochMilli(message.path("due").longValue()), known),
        unknown.isEmpty() ? null : Json.write(((ObjectNode) message).set("wake", unknown)));
  }

  private static JsonNode json(String body) {
    try {
      return Json.read(body);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException("not JSON", notJson);
    }
  }

  private static Optional<Subject> subject(JsonNode name) {
    try {
      return Optional.of(Subject.parse(name.asText()));
    } catch (IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }
}
