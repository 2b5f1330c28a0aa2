package dev.carillon.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.carillon.document.Json;
import dev.carillon.document.MessageLimits;
import java.util.List;
import java.util.function.Consumer;

/**
 * One rendering of a template. It notes missing values. It fails when the values together exceed
 * the size of any message, before they use up the memory.
 */
final class TemplateRendering {

  private final Template.Values variables;
  private final Consumer<String> notes;
  private long remaining = MessageLimits.MOST_BYTES;

  TemplateRendering(Template.Values variables, Consumer<String> notes) {
    this.variables = variables;
    this.notes = notes;
  }

  /** The scope, which decides which variables exist. */
  Template.Scope scope() {
    return variables.scope();
  }

  /** The value of a variable in its own JSON type; null if it is missing. */
  JsonNode value(String name) {
    JsonNode value = variables.value(name);
    if (value.isMissingNode()) {
      notes.accept(VariableName.shown(name) + " has no value");
      return NullNode.getInstance();
    }
    spend(asText(value));
    return value;
  }

  /**
   * Joins the pieces. Values become text: objects become compact JSON, and null becomes the empty
   * text.
   */
  String text(List<Piece> pieces) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      text.append(text(piece));
    }
    return text.toString();
  }

  private String text(Piece piece) {
    if (piece instanceof Piece.Literal literal) {
      return literal.text();
    }
    if (piece instanceof Piece.Placeholder placeholder) {
      return asText(value(placeholder.name()));
    }
    throw new UnsendableException("the template has a ${ without a }; close the variable");
  }

  private void spend(String text) {
    remaining -= text.length();
    if (remaining < 0) {
      throw new UnsendableException(
          "the values of the variables exceed %d bytes, the most that an SQS message can have; use fewer"
              .formatted(MessageLimits.MOST_BYTES));
    }
  }

  private static String asText(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue();
    }
    return value.isNull() ? "" : Json.write(value);
  }
}
