package dev.carillon.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.carillon.document.Fields;
import dev.carillon.document.Json;
import dev.carillon.document.TextForm;
import dev.carillon.id.ProgramName;
import dev.carillon.trigger.Trigger;
import dev.carillon.trigger.Trigger.AnyEvent;
import dev.carillon.trigger.Trigger.EventLeaf;
import dev.carillon.trigger.Trigger.Partition;
import dev.carillon.trigger.Trigger.ProgramStatus;
import dev.carillon.trigger.Trigger.Size;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Computes the event keys of an event, and how much it counts for each of them. */
final class EventWeights {

  private static final TextForm OPAQUE = TextForm.line(256);

  private final String namespace;

  EventWeights(String namespace) {
    this.namespace = namespace;
  }

  Map<String, Long> of(String eventType, Fields event) {
    return switch (eventType) {
      case "PARTITION" -> partition(event.requiredObject("payload"));
      case "SIZE" -> size(event.requiredObject("payload"));
      case "PROGRAM_STATUS" -> programStatus(event.requiredObject("payload"));
      default -> {
        String key = event.has("key") ? event.text("key", EventReader.KEY) : eventType;
        yield weighing(new AnyEvent(key, 1, null), 1);
      }
    };
  }

  /** Gives the weight to each event key of a leaf for which the event counts. */
  private static Map<String, Long> weighing(EventLeaf leaf, long weight) {
    Map<String, Long> weights = new TreeMap<>();
    leaf.eventKeys().forEach(key -> weights.put(key, weight));
    return Collections.unmodifiableMap(weights);
  }

  private static Map<String, Long> partition(Fields payload) {
    String dataset = payload.text("datasetId", OPAQUE);
    return weighing(new Partition(dataset, 1), partitions(payload));
  }

  private static long partitions(Fields payload) {
    if (payload.has("numPartitions") && !payload.has("partitionKeys")) {
      return payload.whole("numPartitions", 1, Trigger.MOST_COUNT);
    }
    JsonNode given = payload.get("partitionKeys");
    JsonNode keys = given.isTextual() ? listIn(given.textValue()) : given;
    if (!keys.isArray() || keys.isEmpty()) {
      payload.refuse(
          "partitionKeys",
          "give a non-empty list of keys, or a text with such a list as JSON,"
              + " or \"numPartitions\" instead");
    }
    return Math.max(1, keys.size());
  }

  private static JsonNode listIn(String text) {
    try {
      return Json.read(text);
    } catch (JsonProcessingException notJson) {
      return MissingNode.getInstance();
    }
  }

  private static Map<String, Long> size(Fields payload) {
    String stream = payload.text("streamId", OPAQUE);
    return weighing(new Size(stream, 1), payload.whole("bytes", 1, Trigger.MOST_BYTES));
  }

  private Map<String, Long> programStatus(Fields payload) {
    String program = ProgramName.read(payload, "programId", namespace);
    String status = payload.choice("status", ProgramStatus.STATUSES).orElse("");
    payload.optionalText("runId", OPAQUE);
    return weighing(new ProgramStatus(program, Set.of(status), 1), 1);
  }
}
