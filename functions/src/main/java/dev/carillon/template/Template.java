package dev.carillon.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.document.Fault;
import dev.carillon.document.Json;
import dev.carillon.template.Piece.Literal;
import dev.carillon.template.Piece.Placeholder;
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
 * <p>In a JSON template, every string can contain variables; the keys of objects are literal. If a
 * string is exactly one variable, the result has the JSON type of the variable's value, and is null
 * if the value is missing. Elsewhere in a string, the text of the value is inserted and escaped. If
 * the source itself is a string, the template is a text. Values are then inserted unchanged,
 * objects as compact JSON, and a missing value as the empty text.
 */
public record Template(JsonNode source) {

  /** The moment at which a template is rendered. It decides which variables exist. */
  public enum Scope {
    /**
     * The template is rendered when the trigger is satisfied, before customer and priority are
     * known.
     */
    TRIGGER,
    /** The template is rendered with the launch request. */
    LAUNCH,
    /** The template is rendered with the callback, when the job has ended. */
    END
  }

  /** The values of variables. */
  @FunctionalInterface
  public interface Values {

    /** The value of a variable with a valid name; the missing node if the variable has no value. */
    JsonNode value(String name);

    /** The scope, which decides which variables exist. */
    default Scope scope() {
      return Scope.LAUNCH;
    }
  }

  public static Template ofText(String text) {
    return new Template(TextNode.valueOf(text));
  }

  /** All faults, with pointers relative to the template. */
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
   * @throws UnsendableException if no queue can ever accept the result
   */
  public String render(Values variables, Consumer<String> notes) {
    TemplateRendering rendering = new TemplateRendering(variables, notes);
    return source.isTextual()
        ? rendering.text(checkedPieces(source.textValue(), variables.scope()))
        : Json.write(rendered(source, rendering));
  }

  public static String forbidden(String character) {
    return "contains the character " + character + ", which SQS does not accept; remove it";
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
    return piece instanceof Placeholder placeholder
        ? VariableName.fault(placeholder.name(), scope)
        : Optional.empty();
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static JsonNode rendered(JsonNode node, TemplateRendering rendering) {
    if (node.isTextual()) {
      return renderedText(node.textValue(), rendering);
    }
    if (node.isObject()) {
      ObjectNode object = Json.object();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        object.set(field.getKey(), rendered(field.getValue(), rendering));
      }
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = Json.object().arrayNode(node.size());
      node.forEach(element -> array.add(rendered(element, rendering)));
      return array;
    }
    return node;
  }

  private static JsonNode renderedText(String text, TemplateRendering rendering) {
    List<Piece> pieces = checkedPieces(text, rendering.scope());
    return pieces.size() == 1 && pieces.get(0) instanceof Placeholder placeholder
        ? rendering.value(placeholder.name())
        : TextNode.valueOf(rendering.text(pieces));
  }

  /** The pieces are checked again, because an older version may have stored the template. */
  private static List<Piece> checkedPieces(String text, Scope scope) {
    List<Piece> pieces = Piece.of(text);
    for (Piece piece : pieces) {
      Optional<String> fault = piece instanceof Literal ? Optional.empty() : fault(piece, scope);
      if (fault.isPresent()) {
        throw new UnsendableException(fault.get());
      }
    }
    return pieces;
  }
}
