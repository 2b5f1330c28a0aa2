package dev.carillon.client.schedule;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Reads a JSON tree like an object mapper, without having to start one. */
final class Tree {

  private static final JsonFactory PARSERS = new JsonFactory();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Tree() {}

  /**
   * @throws JsonProcessingException if the text is not exactly one value
   */
  static JsonNode read(String text) throws JsonProcessingException {
    try (JsonParser parser = PARSERS.createParser(text)) {
      JsonNode tree = node(parser, parser.nextToken());
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "there is more text after the value");
      }
      return tree;
    } catch (JsonProcessingException invalid) {
      throw invalid;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static JsonNode node(JsonParser parser, @Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw new JsonParseException(parser, "the text is empty");
    }
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw new JsonParseException(parser, "no value begins with " + token);
    };
  }

  private static JsonNode object(JsonParser parser) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      object.set(name, node(parser, parser.nextToken()));
    }
    return object;
  }

  private static JsonNode array(JsonParser parser) throws IOException {
    ArrayNode array = NODES.arrayNode();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      array.add(node(parser, token));
    }
    return array;
  }

  private static JsonNode integer(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT -> NODES.numberNode(parser.getIntValue());
      case LONG -> NODES.numberNode(parser.getLongValue());
      default -> NODES.numberNode(parser.getBigIntegerValue());
    };
  }
}
