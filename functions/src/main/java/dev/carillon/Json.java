package dev.carillon;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The one JSON reader and writer: strict, exact in numbers, bounded in depth. */
public final class Json {

  /** The deepest nesting that is read, in documents and events. */
  public static final int DEEPEST = 32;

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(2 * DEEPEST).build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  /**
   * @throws JsonProcessingException if it is not one JSON value
   */
  public static JsonNode read(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** Reads what this project wrote itself. */
  public static ObjectNode readObject(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text);
    } catch (JsonProcessingException fault) {
      throw new IllegalStateException("stored JSON is damaged", fault);
    }
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Compact JSON, in characters that a message can hold. */
  public static String write(JsonNode value) {
    try {
      return MessageCharacters.escaped(MAPPER.writeValueAsString(value));
    } catch (JsonProcessingException fault) {
      throw new IllegalStateException("a JSON tree cannot fail to be written", fault);
    }
  }
}
