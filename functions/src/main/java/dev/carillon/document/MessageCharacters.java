package dev.carillon.document;

import java.util.OptionalInt;

/** The characters that a message of SQS can hold: those of XML 1.0. */
public final class MessageCharacters {

  private MessageCharacters() {}

  /** Whether SQS takes this code point. */
  public static boolean takes(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || (c >= 0x10000 && c <= 0x10FFFF);
  }

  /** The first code point that SQS does not take; empty if it takes all. */
  public static OptionalInt firstRefused(String text) {
    int next;
    for (int i = 0; i < text.length(); i = next) {
      int c = text.codePointAt(i);
      if (!takes(c)) {
        return OptionalInt.of(c);
      }
      next = i + Character.charCount(c);
    }
    return OptionalInt.empty();
  }

  /**
   * The same JSON in characters that SQS takes. What it does not take can only stand inside JSON
   * strings, where an escape means the same.
   */
  static String escaped(String json) {
    if (firstRefused(json).isEmpty()) {
      return json;
    }
    StringBuilder escaped = new StringBuilder(json.length() + 64);
    json.codePoints()
        .forEach(
            c -> {
              if (takes(c)) {
                escaped.appendCodePoint(c);
              } else {
                escaped.append("\\u%04x".formatted(c));
              }
            });
    return escaped.toString();
  }
}
