package dev.carillon.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.util.Map;
import java.util.Set;

/** The members that schemas of the OpenAPI document have, and those that an example shows. */
final class ShownMembers {

  private ShownMembers() {}

  /** Adds the members that the example of a schema shows, as {@code schema/member}. */
  static void addShown(JsonNode example, JsonNode schema, Set<String> shown) {
    JsonNode rule = OpenApi.resolved(schema);
    for (Map.Entry<String, JsonNode> member : example.properties()) {
      JsonNode known = rule.path("properties").path(member.getKey());
      shown.add(schema.path("$ref").asText() + "/" + member.getKey());
      addShown(
          member.getValue(),
          known.isMissingNode() ? rule.path("additionalProperties") : known,
          shown);
    }
    if (example.isArray()) {
      example.forEach(element -> addShown(element, rule.path("items"), shown));
    }
  }

  /** Adds all members of a schema and of the schemas that it refers to. */
  static void addAll(JsonNode schema, Set<String> all) {
    JsonNode rule = OpenApi.resolved(schema);
    for (Map.Entry<String, JsonNode> member : rule.path("properties").properties()) {
      if (all.add(schema.path("$ref").asText() + "/" + member.getKey())) {
        addAll(member.getValue(), all);
        addAll(member.getValue().path("items"), all);
        addAll(member.getValue().path("additionalProperties"), all);
      }
    }
  }

  /** The answer as examples show it. */
  static JsonNode withoutNulls(JsonNode answer) {
    if (answer.isArray()) {
      ArrayNode elements = Json.object().putArray("elements");
      answer.forEach(element -> elements.add(withoutNulls(element)));
      return elements;
    }
    if (!answer.isObject()) {
      return answer;
    }
    ObjectNode members = Json.object();
    for (Map.Entry<String, JsonNode> member : answer.properties()) {
      if (!member.getValue().isNull()) {
        members.set(member.getKey(), withoutNulls(member.getValue()));
      }
    }
    return members;
  }
}
