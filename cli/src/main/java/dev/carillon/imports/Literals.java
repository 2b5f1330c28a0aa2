package dev.carillon.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.client.schedule.Json;
import java.util.function.UnaryOperator;

/** Escapes texts that another system takes literally, so that templates render them unchanged. */
public final class Literals {

  private Literals() {}

  /** A text that a template renders to {@code text}. */
  public static String escaped(String text) {
    return text.replace("${", "$${");
  }

  /** A tree that a template renders to {@code tree}. */
  public static JsonNode escaped(JsonNode tree) {
    return changed(tree, Literals::escaped);
  }

  /** The tree with each text changed; the names of members stay the same. */
  public static JsonNode changed(JsonNode tree, UnaryOperator<String> change) {
    if (tree.isTextual()) {
      return TextNode.valueOf(change.apply(tree.textValue()));
    }
    if (tree.isObject()) {
      ObjectNode copy = Json.object();
      tree.properties().forEach(it -> copy.set(it.getKey(), changed(it.getValue(), change)));
      return copy;
    }
    if (tree.isArray()) {
      ArrayNode copy = Json.object().arrayNode(tree.size());
      tree.forEach(each -> copy.add(changed(each, change)));
      return copy;
    }
    return tree;
  }
}
