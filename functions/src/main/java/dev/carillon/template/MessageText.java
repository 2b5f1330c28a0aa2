package dev.carillon.template;

import dev.carillon.document.MessageCharacters;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the characters that SQS does not accept in texts that cannot be escaped. */
public final class MessageText {

  private MessageText() {}

  /** The first character that SQS does not accept, like {@code U+0000}; empty if it accepts all. */
  public static Optional<String> firstForbidden(String text) {
    OptionalInt refused = MessageCharacters.firstRefused(text);
    return refused.isPresent()
        ? Optional.of("U+%04X".formatted(refused.getAsInt()))
        : Optional.empty();
  }
}
