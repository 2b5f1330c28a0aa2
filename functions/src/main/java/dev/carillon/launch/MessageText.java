package dev.carillon.launch;

import dev.carillon.MessageCharacters;
import java.util.Optional;
import java.util.OptionalInt;

/** What SQS would not take in texts that cannot be escaped. */
final class MessageText {

  private MessageText() {}

  /** The first character that SQS does not take, like {@code U+0000}. */
  static Optional<String> firstForbidden(String text) {
    OptionalInt refused = MessageCharacters.firstRefused(text);
    return refused.isPresent()
        ? Optional.of("U+%04X".formatted(refused.getAsInt()))
        : Optional.empty();
  }
}
