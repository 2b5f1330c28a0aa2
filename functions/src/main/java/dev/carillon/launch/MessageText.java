package dev.carillon.launch;

import dev.carillon.MessageCharacters;
import java.util.Optional;

/** What SQS would not take in texts that cannot be escaped. */
final class MessageText {

  private MessageText() {}

  /** The first character that SQS does not take, like {@code U+0000}. */
  static Optional<String> firstForbidden(String text) {
    return text.codePoints()
        .filter(character -> !MessageCharacters.takes(character))
        .mapToObj(character -> "U+%04X".formatted(character))
        .findFirst();
  }
}
