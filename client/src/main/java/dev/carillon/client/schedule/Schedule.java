package dev.carillon.client.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.client.schedule.Policies.Timeout;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schedule: a name and its document. The document is kept unchanged, so members that only a newer
 * server knows are preserved.
 */
public final class Schedule {

  private final String name;
  private final ObjectNode document;

  private Schedule(String name, ObjectNode document) {
    this.name = name;
    this.document = document;
  }

  /**
   * A schedule with a document in the API's form.
   *
   * @throws IllegalArgumentException if the document is not an object
   */
  public static Schedule of(String name, JsonNode document) {
    if (Json.tree(document) instanceof ObjectNode object) {
      return new Schedule(name, object);
    }
    throw new IllegalArgumentException("the document of " + name + " is not a JSON object");
  }

  /**
   * A schedule with a document in the API's form.
   *
   * @throws IllegalArgumentException if the document is not a JSON object
   */
  public static Schedule of(String name, String document) {
    return of(name, Json.read(document, JsonNode.class));
  }

  /** A builder that begins with the content of this schedule. */
  public Schedules.Builder toBuilder() {
    return new Schedules.Builder(name, document.deepCopy());
  }

  public String name() {
    return name;
  }

  /** A copy of the document. */
  public ObjectNode document() {
    return document.deepCopy();
  }

  /** The document as a JSON string. */
  public String toJson() {
    return Json.write(document);
  }

  /**
   * @throws IllegalArgumentException if the document has no trigger, or a trigger of an unknown
   *     type
   */
  public Trigger trigger() {
    return Json.read(document.path("trigger"), Trigger.class);
  }

  /**
   * @throws IllegalArgumentException if a constraint has an unknown type
   */
  public List<Constraint> constraints() {
    List<Constraint> constraints = new ArrayList<>();
    document.path("constraints").forEach(it -> constraints.add(Json.read(it, Constraint.class)));
    return List.copyOf(constraints);
  }

  /**
   * @throws IllegalArgumentException if the document has no target
   */
  public Target target() {
    return Json.read(document.path("target"), Target.class);
  }

  public String description() {
    return document.path("description").asText("");
  }

  /** The program that the schedule launches; by default, the program with the schedule's name. */
  public String program() {
    return document.path("program").asText(name);
  }

  public @Nullable String app() {
    return text("app");
  }

  /** The customer, a template with variables; null for none. */
  public @Nullable String customer() {
    return text("customer");
  }

  /** The zone; null for the default of the deployment. */
  public @Nullable ZoneId zone() {
    String zone = text("zone");
    return zone == null ? null : ZoneId.of(zone);
  }

  public Map<String, String> tags() {
    Map<String, String> tags = new LinkedHashMap<>();
    document.path("tags").properties().forEach(it -> tags.put(it.getKey(), it.getValue().asText()));
    return tags;
  }

  /** The properties that launch requests can use as <code>${properties.NAME}</code>. */
  public Map<String, JsonNode> properties() {
    Map<String, JsonNode> properties = new LinkedHashMap<>();
    document
        .path("properties")
        .properties()
        .forEach(it -> properties.put(it.getKey(), it.getValue().deepCopy()));
    return properties;
  }

  public @Nullable Timeout timeout() {
    JsonNode timeout = document.path("timeout");
    return timeout.isObject() ? Json.read(timeout, Timeout.class) : null;
  }

  private @Nullable String text(String field) {
    JsonNode value = document.path(field);
    return value.isTextual() ? value.textValue() : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schedule schedule
        && schedule.name.equals(name)
        && schedule.document.equals(document);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + document.hashCode();
  }

  @Override
  public String toString() {
    return name + " " + document;
  }
}
