package dev.carillon.exports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Json;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of an export: an object of a namespace that can be stored again.
 *
 * @param document for a schedule, calendar or pool, the document of the API; for an app, an object
 *     with its {@code programs}; for a resource, an object with its {@code value} and {@code
 *     expiresAt}
 * @param suspended the mode, reason and end of a schedule's suspension; null if it is not suspended
 */
public record Entry(
    Kind kind, String namespace, String name, ObjectNode document, @Nullable ObjectNode suspended) {

  private static final Set<String> MEMBERS =
      Set.of("kind", "namespace", "name", "document", "suspended");

  /** The kinds of entries, in the order in which they can be stored. */
  public enum Kind {
    CALENDAR,
    RESOURCE,
    POOL,
    APP,
    SCHEDULE;

    /** The word in an export. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A schedule whose document asks for its state. */
  public static Entry schedule(String namespace, String name, ObjectNode document) {
    return new Entry(Kind.SCHEDULE, namespace, name, document, null);
  }

  public static Entry calendar(String namespace, String name, ObjectNode document) {
    return new Entry(Kind.CALENDAR, namespace, name, document, null);
  }

  public static Entry pool(String namespace, String name, ObjectNode document) {
    return new Entry(Kind.POOL, namespace, name, document, null);
  }

  /** Kind and name for messages. */
  public String label() {
    return kind.word() + " " + namespace + "/" + name;
  }

  /** The entry as JSON. */
  public ObjectNode json() {
    ObjectNode json = Json.object().put("kind", kind.word());
    json.put("namespace", namespace).put("name", name);
    json.set("document", document);
    return suspended == null ? json : json.set("suspended", suspended);
  }

  /**
   * Reads an entry.
   *
   * @throws IllegalArgumentException if the JSON is not an entry; the message explains why
   */
  public static Entry of(JsonNode json) {
    Kind kind = kind(json.path("kind").asText());
    for (var member : json.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        throw new IllegalArgumentException(
            "\"" + member.getKey() + "\" is not a member of an entry; remove it");
      }
    }
    return new Entry(
        kind,
        text(json, "namespace"),
        text(json, "name"),
        object(json, "document"),
        json.hasNonNull("suspended") ? object(json, "suspended") : null);
  }

  private static Kind kind(String word) {
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "\"kind\" is \"" + word + "\"; give calendar, resource, pool, app or schedule");
  }

  private static String text(JsonNode json, String name) {
    if (!json.path(name).isTextual()) {
      throw new IllegalArgumentException("\"" + name + "\" is missing; give a text");
    }
    return json.path(name).textValue();
  }

  private static ObjectNode object(JsonNode json, String name) {
    if (json.path(name) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException("\"" + name + "\" is missing; give an object");
  }
}
