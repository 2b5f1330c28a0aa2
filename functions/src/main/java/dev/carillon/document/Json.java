package dev.carillon.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Map;

/**
 * Reads and writes all JSON: strictly, with exact numbers, and with bounded depth.
 *
 * <p>It builds the trees without an ObjectMapper, which would load about 400 classes and make a
 * cold start notably slower.
 */
public final class Json {

  /** The deepest nesting accepted in documents and events. */
  public static final int DEEPEST = 32;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(2 * DEEPEST).build())
          .build();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Json() {}

  /**
   * @return a missing node for an empty text
   * @throws JsonProcessingException if the text is not exactly one JSON value
   */
  public static JsonNode read(String text) throws JsonProcessingException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        return MissingNode.getInstance();
      }
      JsonNode value = value(parser);
      if (parser.nextToken() != null) {
        throw new JsonParseException(
            parser, "more than one JSON value", parser.currentTokenLocation());
      }
      return value;
    } catch (JsonProcessingException fault) {
      throw fault;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Reads JSON that Carillon itself wrote. */
  public static ObjectNode readObject(String text) {
    try {
      return (ObjectNode) read(text);
    } catch (JsonProcessingException fault) {
      throw new IllegalStateException("stored JSON is damaged", fault);
    }
  }

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  /** The node that {@link #read} would return for the number, so that the two nodes are equal. */
  public static JsonNode number(BigDecimal number) {
    if (number.scale() > 0) {
      return DecimalNode.valueOf(number);
    }
    long whole = number.longValueExact();
    return whole == (int) whole ? IntNode.valueOf((int) whole) : LongNode.valueOf(whole);
  }

  /** Compact JSON. Escapes the characters that an SQS message cannot contain. */
  public static String write(JsonNode value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text)) {
      write(value, generator);
    } catch (IOException fault) {
      throw new IllegalStateException("a JSON tree could not be written", fault);
    }
    return MessageCharacters.escaped(text.toString());
  }

  private static JsonNode value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> TextNode.valueOf(parser.getText());
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> decimal(parser);
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NULL -> NullNode.getInstance();
      default -> throw new JsonParseException(parser, "unexpected " + parser.currentToken());
    };
  }

  private static ObjectNode object(JsonParser parser) throws IOException {
    ObjectNode object = NODES.objectNode();
    String name = parser.nextFieldName();
    while (name != null) {
      parser.nextToken();
      object.set(name, value(parser));
      name = parser.nextFieldName();
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }

  private static JsonNode integer(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT -> IntNode.valueOf(parser.getIntValue());
      case LONG -> LongNode.valueOf(parser.getLongValue());
      default -> BigIntegerNode.valueOf(parser.getBigIntegerValue());
    };
  }

  private static JsonNode decimal(JsonParser parser) throws IOException {
    try {
      return DecimalNode.valueOf(parser.getDecimalValue());
    } catch (NumberFormatException outOfRange) {
      throw new JsonParseException(parser, "the exponent of a number is too large", outOfRange);
    }
  }

  private static void write(JsonNode value, JsonGenerator generator) throws IOException {
    switch (value.getNodeType()) {
      case OBJECT -> {
        generator.writeStartObject();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
          generator.writeFieldName(field.getKey());
          write(field.getValue(), generator);
        }
        generator.writeEndObject();
      }
      case ARRAY -> {
        generator.writeStartArray();
        for (JsonNode element : value) {
          write(element, generator);
        }
        generator.writeEndArray();
      }
      case STRING -> generator.writeString(value.textValue());
      case NUMBER -> writeNumber(value, generator);
      case BOOLEAN -> generator.writeBoolean(value.booleanValue());
      case NULL, MISSING -> generator.writeNull();
      default -> throw new IllegalArgumentException(value.getNodeType() + " is not a JSON type");
    }
  }

  private static void writeNumber(JsonNode value, JsonGenerator generator) throws IOException {
    switch (value.numberType()) {
      case INT, LONG -> generator.writeNumber(value.longValue());
      case BIG_INTEGER -> generator.writeNumber(value.bigIntegerValue());
      case FLOAT, DOUBLE -> generator.writeNumber(value.doubleValue());
      case BIG_DECIMAL -> generator.writeNumber(value.decimalValue());
    }
  }
}
