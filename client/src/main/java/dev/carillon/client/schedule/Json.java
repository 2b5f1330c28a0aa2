package dev.carillon.client.schedule;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Function;

/**
 * Converts values of this library to JSON and back. Durations, instants and zones are strings, and
 * numbers are exact. A member that a type does not know is an error, because it would be lost.
 */
public final class Json {

  private Json() {}

  /**
   * The mapper is created on first use, because its start takes longer than a whole call that reads
   * only trees.
   */
  private static final class Mapper {

    static final ObjectMapper MAPPER =
        JsonMapper.builder()
            .addModule(times())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
            .build();

    private Mapper() {}
  }

  /** A value as compact JSON. */
  public static String write(Object value) {
    try {
      return Mapper.MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalArgumentException("the value cannot be written as JSON", impossible);
    }
  }

  /**
   * Converts a value to a tree. Accepts maps, lists, strings, numbers, trees, and the types of this
   * library. Equal values give equal trees, whatever the Java types of their numbers.
   */
  public static JsonNode tree(Object value) {
    return read(write(value), JsonNode.class);
  }

  /**
   * Reads a value from JSON.
   *
   * @param type the type, like {@code Trigger.class}; {@code JsonNode.class} for any JSON
   * @throws IllegalArgumentException if the text is not JSON of this type
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      return type == JsonNode.class
          ? type.cast(Tree.read(text))
          : Mapper.MAPPER.readValue(text, type);
    } catch (JsonProcessingException invalid) {
      throw unreadable(type, invalid);
    }
  }

  /**
   * Reads a value from a tree.
   *
   * @throws IllegalArgumentException if the tree is not a value of this type
   */
  public static <T> T read(JsonNode tree, Class<T> type) {
    try {
      return Mapper.MAPPER.treeToValue(tree, type);
    } catch (JsonProcessingException invalid) {
      throw unreadable(type, invalid);
    }
  }

  /**
   * A member of an object.
   *
   * @throws IllegalArgumentException if the value is no object with this member
   */
  public static JsonNode member(JsonNode object, String name) {
    if (!object.hasNonNull(name)) {
      throw new IllegalArgumentException("the JSON has no " + name);
    }
    return object.path(name);
  }

  /**
   * The list in a member of an object.
   *
   * @throws IllegalArgumentException if the value is no object with such a list
   */
  public static JsonNode list(JsonNode object, String name) {
    JsonNode list = member(object, name);
    if (!list.isArray()) {
      throw new IllegalArgumentException(name + " is not a list");
    }
    return list;
  }

  /** An empty object. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static IllegalArgumentException unreadable(
      Class<?> type, JsonProcessingException invalid) {
    return new IllegalArgumentException(
        "the JSON is not a " + type.getSimpleName() + ": " + invalid.getOriginalMessage(), invalid);
  }

  private static SimpleModule times() {
    return new SimpleModule()
        .addSerializer(Duration.class, ToStringSerializer.instance)
        .addSerializer(Instant.class, ToStringSerializer.instance)
        .addSerializer(ZoneId.class, ToStringSerializer.instance)
        .addDeserializer(Duration.class, new FromText<>(Duration.class, Duration::parse))
        .addDeserializer(Instant.class, new FromText<>(Instant.class, Instant::parse))
        .addDeserializer(ZoneId.class, new FromText<>(ZoneId.class, ZoneId::of));
  }

  private static final class FromText<T> extends StdScalarDeserializer<T> {

    private static final long serialVersionUID = 1L;

    private final transient Function<String, T> parse;

    FromText(Class<T> type, Function<String, T> parse) {
      super(type);
      this.parse = parse;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      String text = parser.getText();
      try {
        return parse.apply(text);
      } catch (DateTimeException invalid) {
        throw context.weirdStringException(text, handledType(), invalid.getMessage());
      }
    }
  }
}
