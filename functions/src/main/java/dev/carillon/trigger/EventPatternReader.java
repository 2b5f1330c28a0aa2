package dev.carillon.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Faults;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an event pattern. The library reports lines and columns and stops at the first fault. So
 * each field's list is tried separately. The library also accepts patterns that would occupy it for
 * seconds, so this class limits their size.
 */
public final class EventPatternReader {

  /** The limit is that of EventBridge. */
  static final int MOST_CHARACTERS = 2_048;

  /**
   * The library makes one rule for each combination of alternatives; it took 0.2 s for 729 rules.
   */
  static final int MOST_COMBINATIONS = 100;

  /** The match of a payload of 60 KB took 0.15 s with ten wildcards, and 19 s with a thousand. */
  static final int MOST_WILDCARDS = 10;

  /**
   * A pattern of cost 1,000 takes some 5 ms to compile and up to 600 KB of memory, and ingest
   * compiles one pattern for each schedule of an event key.
   */
  static final int MOST_COST = 1_000;

  /** The cost of a range: the library makes a state for each digit of its borders. */
  static final int COST_OF_RANGE = 50;

  /** The cost of a text that matches in upper and lower case. */
  static final int COST_OF_ANY_CASE = 10;

  private static final String OR = "$or";
  private static final Pattern PLACE = Pattern.compile("(?s)\\s*at \\[Source:.*");

  private final Faults faults;
  private int wildcards;

  private EventPatternReader(Faults faults) {
    this.faults = faults;
  }

  /** Reads a stored pattern, which was validated earlier; null if there is none. */
  public static @Nullable EventPattern stored(Fields fields, String name) {
    if (fields.has(name) && fields.get(name) instanceof ObjectNode pattern) {
      return EventPattern.of(pattern);
    }
    fields.object(name);
    return null;
  }

  /** Reads the pattern; null if there is none, or if a fault was added. */
  public static @Nullable EventPattern read(Fields fields, String name, Faults faults) {
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
    Rules rules = object(document, pointer);
    checkBounds(rules, pointer);
    if (faults.none()) {
      compile((ObjectNode) document, pointer);
    }
  }

  private void checkBounds(Rules rules, String pointer) {
    if (rules.number() > MOST_COMBINATIONS) {
      faults.add(
          pointer,
          "the alternatives of \"$or\" have %d combinations; give at most %d"
              .formatted(rules.number(), MOST_COMBINATIONS));
    } else if (rules.cost() > MOST_COST) {
      faults.add(
          pointer,
          ("the pattern costs %d; give at most %d: \"cidr\" and \"numeric\" cost %d,"
                  + " \"equals-ignore-case\" %d, other values 1, in each combination of \"$or\" with"
                  + " them")
              .formatted(rules.cost(), MOST_COST, COST_OF_RANGE, COST_OF_ANY_CASE));
    }
    if (wildcards > MOST_WILDCARDS) {
      faults.add(
          pointer,
          "the pattern has %d \"*\" in wildcards; give at most %d, or use \"prefix\" or \"suffix\""
              .formatted(wildcards, MOST_WILDCARDS));
    }
  }

  /**
   * The rules that the library makes of a part of the pattern.
   *
   * @param cost the cost of the values of all rules
   */
  private record Rules(long number, long cost) {

    static final Rules ONE = new Rules(1, 0);

    /** The rules for a part that combines each of these rules with each of the others. */
    Rules with(Rules other) {
      return new Rules(
          saturated(number * other.number),
          saturated(cost * other.number) + saturated(other.cost * number));
    }

    /** The rules for a part that has these rules and the others as alternatives. */
    Rules or(Rules other) {
      return new Rules(saturated(number + other.number), saturated(cost + other.cost));
    }

    private static long saturated(long value) {
      return Math.min(value, 1_000_000);
    }
  }

  private Rules object(JsonNode document, String pointer) {
    if (!document.isObject() || document.isEmpty()) {
      faults.add(
          pointer,
          "an event pattern is an object of fields with lists of values, like {\"state\":"
              + " [\"open\"]}");
      return Rules.ONE;
    }
    Rules rules = Rules.ONE;
    for (var field : document.properties()) {
      String at = Faults.member(pointer, field.getKey());
      rules =
          rules.with(
              field.getKey().equals(OR) ? or(field.getValue(), at) : field(field.getValue(), at));
    }
    return rules;
  }

  private Rules or(JsonNode alternatives, String pointer) {
    if (!alternatives.isArray() || alternatives.size() < 2) {
      faults.add(pointer, "give a list of two or more patterns");
      return Rules.ONE;
    }
    Rules rules = new Rules(0, 0);
    for (int index = 0; index < alternatives.size(); index++) {
      rules = rules.or(object(alternatives.get(index), pointer + "/" + index));
    }
    return rules;
  }

  private Rules field(JsonNode wanted, String pointer) {
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
      return Rules.ONE;
    }
    countWildcards(wanted);
    ObjectNode alone = Json.object();
    alone.set("field", wanted);
    compile(alone, pointer);
    return new Rules(1, cost(wanted));
  }

  /** The cost of a list of values, or of one value with all values in it. */
  private static long cost(JsonNode value) {
    if (value.isArray()) {
      return value.valueStream().mapToLong(EventPatternReader::cost).sum();
    }
    long cost = 0;
    for (var member : value.properties()) {
      cost +=
          switch (member.getKey()) {
            case "cidr", "numeric" -> COST_OF_RANGE;
            case "equals-ignore-case" -> COST_OF_ANY_CASE * cost(member.getValue());
            default -> cost(member.getValue());
          };
    }
    return Math.max(1, cost);
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
          "EventBridge does not accept this pattern: "
              + why
              + "; see its documentation of event patterns");
    }
  }
}
