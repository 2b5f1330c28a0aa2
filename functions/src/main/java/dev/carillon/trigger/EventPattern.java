package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import software.amazon.event.ruler.GenericMachine;

/**
 * An EventBridge event pattern over an event's payload, matched by the library that EventBridge
 * matches with. Equal to every other of the same document.
 */
public final class EventPattern {

  private static final String RULE = "pattern";

  private final ObjectNode document;
  private final GenericMachine<String> machine;

  private EventPattern(ObjectNode document) {
    this.document = document;
    this.machine = compiled(document);
  }

  /**
   * @param document one that {@link EventPatternReader} found no fault with
   */
  static EventPattern of(ObjectNode document) {
    return new EventPattern(document.deepCopy());
  }

  /**
   * @throws IllegalArgumentException in the library's words, if it is no pattern
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

  /** Only objects match. */
  public boolean matches(JsonNode payload) {
    try {
      return payload.isObject() && !machine.rulesForJSONEvent(payload).isEmpty();
    } catch (RuntimeException unreadable) {
      // What the library cannot read must not hold up the events around it.
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
