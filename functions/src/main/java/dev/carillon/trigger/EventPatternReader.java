package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event pattern. The library names lines and columns and stops at the first fault, so each
 * field's list is tried alone; and it takes patterns that would occupy it for seconds, so they are
 * bounded here.
 */
final class EventPatternReader {

  /** As EventBridge bounds them. */
  static final int MOST_CHARACTERS = 2_048;

  /** The library makes a rule of each combination of alternatives; 729 took it 0.2 s. */
  static final int MOST_COMBINATIONS = 100;

  /** Matching 60 KB took 0.15 s with ten, and 19 s with a thousand. */
  static final int MOST_WILDCARDS = 10;

  private static final String OR = "$or";
  private static final Pattern PLACE = Pattern.compile("(?s)\\s*at \\[Source:.*");

  private final Faults faults;
  private int wildcards;

  private EventPatternReader(Faults faults) {
    this.faults = faults;
  }

  /** The pattern; null if there is none, or a fault was noted. */
  static @Nullable EventPattern read(Fields fields, String name, Faults faults) {
    if (!fields.has(name)) {
      return null;
    }
    String pointer = fields.at(name);
    Faults own = new Faults();
    new EventPatternReader(own).check(fields.get(name), pointer);
    own.found().forEach(fault -> faults.add(fault.pointer(), fault.detail()));
    return own.none() ? EventPattern.of((ObjectNode) fields.get(name)) : null;
  }

  private void check(JsonNode document, String pointer) {
    int size = Json.write(document).length();
    if (size > MOST_CHARACTERS) {
      faults.add(
          pointer,
          "the pattern has %d characters; give at most %d".formatted(size, MOST_CHARACTERS));
      return;
    }
    long combinations = object(document, pointer);
    if (combinations > MOST_COMBINATIONS) {
      faults.add(
          pointer,
          "the alternatives of \"$or\" have %d combinations; give at most %d"
              .formatted(combinations, MOST_COMBINATIONS));
    }
    if (wildcards > MOST_WILDCARDS) {
      faults.add(
          pointer,
          "the pattern has %d \"*\" in wildcards; give at most %d, or use \"prefix\" or \"suffix\""
              .formatted(wildcards, MOST_WILDCARDS));
    }
    if (faults.none()) {
      compile((ObjectNode) document, pointer);
    }
  }

  /** How many rules the library will make of it. */
  private long object(JsonNode document, String pointer) {
    if (!document.isObject() || document.isEmpty()) {
      faults.add(
          pointer,
          "an event pattern is an object of fields with lists of values, like {\"state\": [\"open\"]}");
      return 1;
    }
    long combinations = 1;
    for (var field : document.properties()) {
      String at = Faults.member(pointer, field.getKey());
      combinations =
          saturated(
              combinations,
              field.getKey().equals(OR) ? or(field.getValue(), at) : field(field.getValue(), at));
    }
    return combinations;
  }

  private static long saturated(long one, long other) {
    return Math.min(one * other, Integer.MAX_VALUE);
  }

  private long or(JsonNode alternatives, String pointer) {
    if (!alternatives.isArray() || alternatives.size() < 2) {
      faults.add(pointer, "give a list of two or more patterns");
      return 1;
    }
    long combinations = 0;
    for (int index = 0; index < alternatives.size(); index++) {
      combinations += object(alternatives.get(index), pointer + "/" + index);
    }
    return combinations;
  }

  private long field(JsonNode wanted, String pointer) {
    if (wanted.isObject()) {
      return object(wanted, pointer);
    }
    if (!wanted.isArray()) {
      faults.add(
          pointer,
          Faults.shown(wanted)
              + " is neither a list of values nor an object; give ["
              + wanted
              + "]");
      return 1;
    }
    countWildcards(wanted);
    ObjectNode alone = Json.object();
    alone.set("field", wanted);
    compile(alone, pointer);
    return 1;
  }

  private void countWildcards(JsonNode node) {
    for (var member : node.properties()) {
      if (member.getKey().equals("wildcard")) {
        wildcards += stars(member.getValue());
      }
    }
    node.forEach(this::countWildcards);
  }

  private static int stars(JsonNode value) {
    int stars = (int) value.asText().chars().filter(character -> character == '*').count();
    for (JsonNode one : value) {
      stars += stars(one);
    }
    return stars;
  }

  private void compile(ObjectNode pattern, String pointer) {
    try {
      EventPattern.compiled(pattern);
    } catch (IllegalArgumentException invalid) {
      String why = PLACE.matcher(String.valueOf(invalid.getMessage())).replaceAll("");
      faults.add(
          pointer,
          "EventBridge takes no such pattern: "
              + why
              + "; see its documentation of event patterns");
    }
  }
}
