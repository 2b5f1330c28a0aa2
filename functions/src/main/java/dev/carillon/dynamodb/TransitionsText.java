package dev.carillon.dynamodb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.carillon.document.Json;
import dev.carillon.job.JobState;
import dev.carillon.job.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A job's history as a JSON array of {@code [millis, state, reason]}. */
final class TransitionsText {

  private TransitionsText() {}

  static String write(List<Transition> transitions) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (Transition transition : transitions) {
      ArrayNode parts = all.addArray();
      parts.add(transition.at().toEpochMilli()).add(transition.state().name());
      if (transition.reason() != null) {
        parts.add(transition.reason());
      }
    }
    return Json.write(all);
  }

  static List<Transition> read(String text) {
    List<Transition> transitions = new ArrayList<>();
    for (JsonNode parts : parse(text)) {
      transitions.add(
          new Transition(
              Instant.ofEpochMilli(parts.get(0).longValue()),
              JobState.valueOf(parts.get(1).textValue()),
              parts.size() > 2 ? parts.get(2).textValue() : null));
    }
    return List.copyOf(transitions);
  }

  private static JsonNode parse(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException damage) {
      throw new IllegalStateException("a stored history is damaged", damage);
    }
  }
}
