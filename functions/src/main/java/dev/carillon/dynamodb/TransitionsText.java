package dev.carillon.dynamodb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.carillon.document.Json;
import dev.carillon.job.JobState;
import dev.carillon.job.Reason;
import dev.carillon.job.ReasonCode;
import dev.carillon.job.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;

/** A job's history as a JSON array of {@code [millis, state, code, argument, …]}. */
final class TransitionsText {

  private static final int REASON = 2;

  static final AttributeConverter<List<Transition>> FORM =
      Forms.text(
          EnhancedType.listOf(Transition.class), TransitionsText::write, TransitionsText::read);

  private TransitionsText() {}

  private static String write(List<Transition> transitions) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (Transition transition : transitions) {
      ArrayNode parts = all.addArray();
      parts.add(transition.at().toEpochMilli()).add(transition.state().name());
      Reason reason = transition.reason();
      if (reason != null) {
        parts.add(reason.code().name());
        reason.arguments().forEach(parts::add);
      }
    }
    return Json.write(all);
  }

  private static List<Transition> read(String text) {
    List<Transition> transitions = new ArrayList<>();
    for (JsonNode parts : parse(text)) {
      transitions.add(
          new Transition(
              Instant.ofEpochMilli(parts.get(0).longValue()),
              JobState.valueOf(parts.get(1).textValue()),
              parts.size() > REASON ? reason(parts) : null));
    }
    return List.copyOf(transitions);
  }

  private static Reason reason(JsonNode parts) {
    List<String> arguments = new ArrayList<>();
    for (int i = REASON + 1; i < parts.size(); i++) {
      arguments.add(parts.get(i).textValue());
    }
    return new Reason(ReasonCode.valueOf(parts.get(REASON).textValue()), arguments);
  }

  private static JsonNode parse(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException damage) {
      throw new IllegalStateException("A stored job history is not valid JSON", damage);
    }
  }
}
