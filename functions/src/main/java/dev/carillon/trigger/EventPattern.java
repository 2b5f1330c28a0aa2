package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import org.jspecify.annotations.Nullable;
import software.amazon.event.ruler.GenericMachine;

/**
 * An EventBridge event pattern over an event's payload, matched by EventBridge's own library.
 * Patterns with the same document are equal.
 */
public final class EventPattern {

  private static final String RULE = "pattern";

  private final ObjectNode document;
  private @Nullable GenericMachine<String> machine;

  private EventPattern(ObjectNode document) {
    this.document = document;
  }

  /**
   * @param document a document in which {@link EventPatternReader} found no fault
   */
  static EventPattern of(ObjectNode document) {
    return new EventPattern(document.deepCopy());
  }

  /**
   * @throws IllegalArgumentException if the document is not a pattern; the message is that of the
   *     library
   */
  static GenericMachine<String> compiled(ObjectNode document) {
    GenericMachine<String> machine = GenericMachine.<String>builder().build();
    try {
      machine.addRule(RULE, Json.write(document));
    } catch (Exception invalid) {
      throw new IllegalArgumentException(invalid.getMessage(), invalid);
    }
    return machine;
  }

  /**
   * Compiles the pattern when it is first needed. Compiling takes some milliseconds and hundreds of
   * kilobytes, and ingest is the only function that matches events.
   */
  private synchronized GenericMachine<String> machine() {
    GenericMachine<String> known = machine;
    if (known == null) {
      known = compiled(document);
      machine = known;
    }
    return known;
  }

  /**
   * Whether the payload matches; a payload that is not an object never matches.
   *
   * @throws IllegalArgumentException if a stored document is not a pattern
   */
  public boolean matches(JsonNode payload) {
    if (!payload.isObject()) {
      return false;
    }
    GenericMachine<String> compiled = machine();
    try {
      return !compiled.rulesForJSONEvent(payload).isEmpty();
    } catch (RuntimeException unreadable) {
      // An event that the library cannot read must not block the other events of its batch.
      return false;
    }
  }

  ObjectNode document() {
    return document.deepCopy();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EventPattern pattern && document.equals(pattern.document);
  }

  @Override
  public int hashCode() {
    return document.hashCode();
  }

  @Override
  public String toString() {
    return Json.write(document);
  }
}
