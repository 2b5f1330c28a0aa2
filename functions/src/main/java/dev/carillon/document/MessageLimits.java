package dev.carillon.document;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Limits of SQS messages. */
public final class MessageLimits {

  /**
   * The largest message and the largest batch, counting body, attribute names, types and values.
   */
  public static final int MOST_BYTES = 1024 * 1024;

  private static final char REPLACEMENT = '\uFFFD';
  private static final String ATTRIBUTE_TYPE = "String";

  private MessageLimits() {}

  /** Whether SQS accepts the text as a body or an attribute value, apart from its length. */
  public static boolean accepts(String text) {
    return !text.isEmpty() && MessageCharacters.firstRefused(text).isEmpty();
  }

  /** Replaces every character that SQS does not accept. */
  public static String clean(String text) {
    StringBuilder cleaned = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> cleaned.appendCodePoint(MessageCharacters.accepts(c) ? c : REPLACEMENT));
    return cleaned.toString();
  }

  /**
   * A text that has at most so many characters. A longer one is cut, but not within a surrogate
   * pair.
   *
   * @param mark the end of a text that was cut
   */
  public static String cut(String text, int most, String mark) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - mark.length();
    boolean isWithinPair = Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, isWithinPair ? end - 1 : end) + mark;
  }

  /** Why SQS can never accept the message; empty if it can. */
  public static Optional<String> faultOf(String body, Map<String, String> attributes) {
    if (!accepts(body)) {
      return Optional.of("the body is empty or contains characters that SQS does not accept");
    }
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (!accepts(attribute.getValue())) {
        return Optional.of(
            "the attribute "
                + attribute.getKey()
                + " is empty or contains characters that SQS does not accept");
      }
    }
    return bytes(body, attributes) > MOST_BYTES
        ? Optional.of("the message is larger than " + MOST_BYTES + " bytes")
        : Optional.empty();
  }

  /** The size of a message with these string attributes as SQS counts it, in bytes. */
  public static int bytes(String body, Map<String, String> attributes) {
    int bytes = utf8(body);
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      bytes += bytes(attribute.getKey(), attribute.getValue());
    }
    return bytes;
  }

  /** The size of a string attribute as SQS counts it, in bytes. */
  public static int bytes(String name, String value) {
    return utf8(name) + ATTRIBUTE_TYPE.length() + utf8(value);
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
