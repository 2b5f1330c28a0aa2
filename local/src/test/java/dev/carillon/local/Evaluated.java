package dev.carillon.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** The resources of a template with all functions applied, as in CloudFormation. */
final class Evaluated {

  private final CloudFormation template;

  Evaluated(Path file, String stack, Map<String, String> parameters) {
    this.template = new CloudFormation(file, stack, parameters, URI.create("http://localhost"));
  }

  /** The properties of a resource; missing if its condition is false. */
  JsonNode properties(String resource) {
    JsonNode described = template.section("Resources").path(resource);
    if (described.isMissingNode()) {
      throw new AssertionError("the template has no " + resource);
    }
    return described.has("Condition") && !holds(described.path("Condition").asText())
        ? MissingNode.getInstance()
        : value(described.path("Properties"));
  }

  /** The properties of all resources of a type, by their names. */
  Map<String, JsonNode> all(String type) {
    return template.resources(type).stream()
        .map(Map.Entry::getKey)
        .filter(name -> !properties(name).isMissingNode())
        .collect(Collectors.toMap(name -> name, this::properties));
  }

  private JsonNode value(JsonNode node) {
    if (node.isArray()) {
      ArrayNode elements = JsonNodeFactory.instance.arrayNode();
      node.valueStream().map(this::value).filter(it -> !it.isMissingNode()).forEach(elements::add);
      return elements;
    }
    if (!node.isObject()) {
      return node;
    }
    String only = node.size() == 1 ? node.fieldNames().next() : "";
    if (only.equals("Ref") || only.startsWith("Fn::")) {
      return applied(only, node.path(only), node);
    }
    ObjectNode members = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      JsonNode value = value(member.getValue());
      if (!value.isMissingNode()) {
        members.set(member.getKey(), value);
      }
    }
    return members;
  }

  private JsonNode applied(String function, JsonNode argument, JsonNode call) {
    return switch (function) {
      case "Fn::If" -> value(argument.path(holds(argument.path(0).asText()) ? 1 : 2));
      case "Fn::Split" -> split(argument);
      case "Fn::Join" -> joined(argument);
      case "Fn::Select" -> value(argument.path(1)).path(argument.path(0).asInt());
      case "Fn::Equals" -> truth(value(argument.path(0)).equals(value(argument.path(1))));
      case "Fn::Not" -> truth(!isTrue(argument.path(0)));
      case "Fn::Or" -> truth(argument.valueStream().anyMatch(this::isTrue));
      case "Ref" ->
          argument.asText().equals("AWS::NoValue") ? MissingNode.getInstance() : text(call);
      default -> text(call);
    };
  }

  /** The call unchanged, if the local engine has no value for it. */
  private JsonNode text(JsonNode call) {
    try {
      return TextNode.valueOf(template.text(call));
    } catch (StartFault unknown) {
      return call;
    }
  }

  private JsonNode split(JsonNode argument) {
    ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    for (String part : value(argument.path(1)).asText().split(argument.path(0).asText(), -1)) {
      parts.add(part);
    }
    return parts;
  }

  private JsonNode joined(JsonNode argument) {
    return TextNode.valueOf(
        value(argument.path(1))
            .valueStream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(argument.path(0).asText())));
  }

  private boolean holds(String condition) {
    return isTrue(template.section("Conditions").path(condition));
  }

  private boolean isTrue(JsonNode condition) {
    return condition.has("Condition")
        ? holds(condition.path("Condition").asText())
        : value(condition).asBoolean();
  }

  private static JsonNode truth(boolean value) {
    return BooleanNode.valueOf(value);
  }
}
