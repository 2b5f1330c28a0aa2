package dev.carillon.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path into a JSON value: {@code .name} selects a member of an object, {@code [i]} an element of
 * an array; {@code [-1]} is the last element. A name contains no dot and no bracket.
 */
public record JsonPath(List<Step> steps) {

  private static final Pattern STEP =
      Pattern.compile("\\G(?:\\.(?<name>[^.\\[\\]]+)|\\[(?<index>-?[0-9]{1,9})])");

  /** One step of a path. */
  public sealed interface Step {
    /** The value that the step selects; the missing node if there is none. */
    JsonNode from(JsonNode node);
  }

  /** Selects a member of an object. */
  public record Name(String name) implements Step {
    @Override
    public JsonNode from(JsonNode node) {
      return node.path(name);
    }
  }

  /** Selects an element of an array; a negative index counts from its end. */
  public record Index(int index) implements Step {
    @Override
    public JsonNode from(JsonNode node) {
      return node.path(index < 0 ? node.size() + index : index);
    }
  }

  /**
   * Parses a path; empty if the text is not one. The empty text is the path to the value itself.
   */
  public static Optional<JsonPath> parse(String text) {
    List<Step> steps = new ArrayList<>();
    Matcher step = STEP.matcher(text);
    int end = 0;
    while (step.find()) {
      String name = step.group("name");
      steps.add(name == null ? new Index(Integer.parseInt(step.group("index"))) : new Name(name));
      end = step.end();
    }
    return end == text.length() ? Optional.of(new JsonPath(List.copyOf(steps))) : Optional.empty();
  }

  public JsonNode in(JsonNode root) {
    JsonNode node = root;
    for (Step step : steps) {
      node = step.from(node);
    }
    return node;
  }
}
