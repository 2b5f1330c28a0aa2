package dev.carillon.document;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** What SQS takes as a message. */
public final class MessageLimits {

  /** The largest message, and the largest batch: body, attribute names, types and values. */
  public static final int MOST_BYTES = 1024 * 1024;

  private static final char REPLACEMENT = '\uFFFD';
  private static final String ATTRIBUTE_TYPE = "String";

  private MessageLimits() {}

  /** Whether the text can be a body or an attribute's value, apart from its length. */
  public static boolean takes(String text) {
    return !text.isEmpty() && MessageCharacters.firstRefused(text).isEmpty();
  }

  /** The text with everything that SQS would refuse replaced. */
  public static String clean(String text) {
    StringBuilder cleaned = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> cleaned.appendCodePoint(MessageCharacters.takes(c) ? c : REPLACEMENT));
    return cleaned.toString();
  }

  /** Why SQS can never take the message; empty if it can. */
  public static Optional<String> faultOf(String body, Map<String, String> attributes) {
    if (!takes(body)) {
      return Optional.of("the body is empty or has characters that SQS does not take");
    }
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (!takes(attribute.getValue())) {
        return Optional.of(
            "attribute "
                + attribute.getKey()
                + " is empty or has characters that SQS does not take");
      }
    }
    return bytes(body, attributes) > MOST_BYTES
        ? Optional.of("the message is larger than " + MOST_BYTES + " bytes")
        : Optional.empty();
  }

  /** What SQS counts for a message with these string attributes, in bytes. */
  public static int bytes(String body, Map<String, String> attributes) {
    int bytes = utf8(body);
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += bytes(attribute.getKey(), attribute.getValue());
    }
    return bytes;
  }

  /** What SQS counts for a string attribute, in bytes. */
  public static int bytes(String name, String value) {
    return utf8(name) + ATTRIBUTE_TYPE.length() + utf8(value);
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
