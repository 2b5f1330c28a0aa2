package dev.carillon.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.template.Piece.Hole;
import dev.carillon.template.Piece.Literal;
import dev.carillon.template.Piece.Unclosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A JSON value or a text with variables, {@code ${name}}; <code>$$&#123;</code> is a literal <code>
 * $&#123;</code>.
 *
 * <p>In a JSON template every string may hold variables, but no object's key: keys are literal. A
 * string that is exactly one variable takes the value's JSON type, null if it is missing; elsewhere
 * in strings the value's text is inserted and escaped. If the source itself is a string, the
 * template is a text: values are inserted as they are, objects as compact JSON, and what is missing
 * as nothing.
 */
public record Template(JsonNode source) {

  /** When a template is rendered, which decides what variables there are. */
  public enum Scope {
    /** As soon as the trigger is satisfied: customer and priority are not known yet. */
    TRIGGER,
    /** With the launch request. */
    LAUNCH
  }

  /** The values of variables. */
  @FunctionalInterface
  public interface Values {

    /** The value of a variable with a valid name; the missing node if there is none. */
    JsonNode value(String name);
  }

  public static Template ofText(String text) {
    return new Template(TextNode.valueOf(text));
  }

  /** All that is wrong with it, with pointers relative to it. */
  public List<Fault> faults(Scope scope) {
    List<Fault> faults = new ArrayList<>();
    collect(source, "", scope, faults);
    if (source.isTextual()) {
      MessageText.firstForbidden(source.textValue())
          .ifPresent(character -> faults.add(new Fault("", forbidden(character))));
    }
    return List.copyOf(faults);
  }

  /**
   * The exact text to send: compact JSON with keys in the order of the template, or plain text.
   *
   * @throws UnsendableException if it can never be rendered
   */
  public String render(Values variables, Consumer<String> notes) {
    Filling filling = new Filling(variables, notes);
    return source.isTextual()
        ? filling.text(checkedPieces(source.textValue()))
        : Json.write(filled(source, filling));
  }

  public static String forbidden(String character) {
    return "contains the character " + character + ", which SQS does not take; leave it out";
  }

  private static void collect(JsonNode node, String pointer, Scope scope, List<Fault> faults) {
    if (node.isTextual()) {
      for (Piece piece : Piece.of(node.textValue())) {
        Optional<String> fault = fault(piece, scope);
        if (fault.isPresent()) {
          faults.add(new Fault(pointer, fault.get()));
        }
      }
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      collect(field.getValue(), pointer + "/" + escape(field.getKey()), scope, faults);
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        collect(node.path(i), pointer + "/" + i, scope, faults);
      }
    }
  }

  private static Optional<String> fault(Piece piece, Scope scope) {
    if (piece instanceof Unclosed unclosed) {
      return Optional.of(
          "the variable %s is not closed; add } after its name, or write $${ for a literal ${"
              .formatted(VariableName.shown(unclosed.rest()).replaceAll("}$", "")));
    }
    return piece instanceof Hole hole ? VariableName.fault(hole.name(), scope) : Optional.empty();
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static JsonNode filled(JsonNode node, Filling filling) {
    if (node.isTextual()) {
      return filledText(node.textValue(), filling);
    }
    if (node.isObject()) {
      ObjectNode object = Json.object();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        object.set(field.getKey(), filled(field.getValue(), filling));
      }
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = Json.object().arrayNode(node.size());
      node.forEach(element -> array.add(filled(element, filling)));
      return array;
    }
    return node;
  }

  private static JsonNode filledText(String text, Filling filling) {
    List<Piece> pieces = checkedPieces(text);
    return pieces.size() == 1 && pieces.get(0) instanceof Hole hole
        ? filling.value(hole.name())
        : TextNode.valueOf(filling.text(pieces));
  }

  /** Checks again what was checked when it was stored, perhaps by an older version of the code. */
  private static List<Piece> checkedPieces(String text) {
    List<Piece> pieces = Piece.of(text);
    for (Piece piece : pieces) {
      Optional<String> fault =
          piece instanceof Literal ? Optional.empty() : fault(piece, Scope.LAUNCH);
      if (fault.isPresent()) {
        throw new UnsendableException(fault.get());
      }
    }
    return pieces;
  }
}
