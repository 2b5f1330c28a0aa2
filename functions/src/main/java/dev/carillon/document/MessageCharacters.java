package dev.carillon.document;

import java.util.OptionalInt;

/** The characters that an SQS message can contain: those of XML 1.0. */
public final class MessageCharacters {

  private MessageCharacters() {}

  /** Whether SQS accepts this code point. */
  public static boolean accepts(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || (c >= 0x10000 && c <= 0x10FFFF);
  }

  /** The first code point that SQS does not accept; empty if it accepts all. */
  public static OptionalInt firstRefused(String text) {
    int next;
    for (int i = 0; i < text.length(); i = next) {
      int c = text.codePointAt(i);
      if (!accepts(c)) {
        return OptionalInt.of(c);
      }
      next = i + Character.charCount(c);
    }
    return OptionalInt.empty();
  }

  /**
   * Equivalent JSON that SQS accepts. Characters that SQS does not accept can only occur within
   * JSON strings, where they can be escaped.
   */
  static String escaped(String json) {
    if (firstRefused(json).isEmpty()) {
      return json;
    }
    StringBuilder escaped = new StringBuilder(json.length() + 64);
    json.codePoints()
        .forEach(
            c -> {
              if (accepts(c)) {
                escaped.appendCodePoint(c);
              } else {
                escaped.append("\\u%04x".formatted(c));
              }
            });
    return escaped.toString();
  }
}
