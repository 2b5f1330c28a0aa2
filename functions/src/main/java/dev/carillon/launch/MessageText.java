package dev.carillon.launch;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Json;
import java.util.Optional;

/** Texts for messages: JSON that SQS takes, and what it would not take in others. */
final class MessageText {

  private MessageText() {}

  /** Compact JSON; what SQS would not take is escaped, as JSON can. */
  static String json(JsonNode value) {
    String json = Json.write(value);
    return firstForbidden(json).isEmpty() ? json : escaped(json);
  }

  /** The first character that SQS does not take, like {@code U+0000}. */
  static Optional<String> firstForbidden(String text) {
    return text.codePoints()
        .filter(character -> !MessageLimits.isTaken(character))
        .mapToObj(character -> "U+%04X".formatted(character))
        .findFirst();
  }

  // What is forbidden can only stand inside JSON strings, where an escape means the same.
  private static String escaped(String json) {
    StringBuilder escaped = new StringBuilder(json.length() + 64);
    json.codePoints()
        .forEach(
            character -> {
              if (MessageLimits.isTaken(character)) {
                escaped.appendCodePoint(character);
              } else {
                escaped.append("\\u%04x".formatted(character));
              }
            });
    return escaped.toString();
  }
}
