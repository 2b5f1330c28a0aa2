package dev.carillon.imports.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.client.schedule.Json;
import dev.carillon.imports.Draft;
import dev.carillon.imports.Literals;
import org.jspecify.annotations.Nullable;

/** Converts the input of a target into a template. */
final class Input {

  private static final String ATTEMPT = "<aws.scheduler.attempt-number>";

  private Input() {}

  /** The template; it is JSON if the text is an object or a list. */
  static JsonNode template(String text, String arn, Draft draft) {
    JsonNode input = json(text);
    if (text.contains("\"" + ATTEMPT + "\"")) {
      draft.note("the attempt number is sent as a number");
    }
    return Literals.changed(input, each -> withVariables(each, arn));
  }

  /** The text with the variables of EventBridge replaced by variables of Carillon. */
  static String withVariables(String text, String arn) {
    return Literals.escaped(text)
        .replace("<aws.scheduler.scheduled-time>", "${scheduledFor}")
        .replace("<aws.scheduler.execution-id>", "${jobId}")
        .replace(ATTEMPT, "${attempt}")
        .replace("<aws.scheduler.schedule-arn>", Literals.escaped(arn));
  }

  static JsonNode json(String text) {
    try {
      JsonNode json = Json.read(text, JsonNode.class);
      return json.isContainerNode() ? json : TextNode.valueOf(text);
    } catch (IllegalArgumentException plain) {
      return TextNode.valueOf(text);
    }
  }

  /** The input that EventBridge sends if the target has none. */
  static ObjectNode usual(String source, @Nullable String arn) {
    String[] parts = arn == null ? new String[0] : arn.split(":", 6);
    ObjectNode event = Json.object().put("version", "0").put("id", "${jobId}");
    event.put("detail-type", "Scheduled Event").put("source", source);
    event.put("account", parts.length > 4 ? parts[4] : "").put("time", "${scheduledFor}");
    event.put("region", parts.length > 3 ? parts[3] : "");
    var resources = event.putArray("resources");
    if (arn != null) {
      resources.add(Literals.escaped(arn));
    }
    event.putObject("detail");
    return event;
  }
}
