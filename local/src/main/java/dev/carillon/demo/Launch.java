package dev.carillon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A launch request as a worker receives it.
 *
 * @param sentAt when the queue accepted it
 * @param arrivedAt when the worker received it
 * @param why the satisfied trigger, with actual and required counts
 */
record Launch(
    JobId job, Instant scheduledFor, Instant sentAt, Instant arrivedAt, String why, String body) {

  private static final int MEGABYTE = 1_000_000;

  static Launch of(Message message, Instant arrivedAt) {
    String sent = message.attributes().getOrDefault(MessageSystemAttributeName.SENT_TIMESTAMP, "0");
    return new Launch(
        JobId.parse(attribute(message, "carillon-job-id")),
        Instant.parse(attribute(message, "carillon-scheduled-for")),
        Instant.ofEpochMilli(Long.parseLong(sent)),
        arrivedAt,
        why(Json.readObject(attribute(message, "trigger"))),
        message.body());
  }

  static String attribute(Message message, String name) {
    MessageAttributeValue value = message.messageAttributes().get(name);
    if (value == null) {
      throw new DemoFault("a launch request has no attribute " + name);
    }
    return value.stringValue();
  }

  private static String why(JsonNode trigger) {
    Map<String, String> byType = new TreeMap<>();
    for (JsonNode leaf : trigger.path("leaves")) {
      if (leaf.path("satisfied").asBoolean()) {
        byType.merge(leaf.path("type").asText(), counts(leaf), (one, other) -> one + " + " + other);
      }
    }
    return byType.isEmpty()
        ? "manual launch"
        : byType.entrySet().stream()
            .map(type -> (type.getKey() + " " + type.getValue()).strip())
            .collect(Collectors.joining(", "));
  }

  private static String counts(JsonNode leaf) {
    if (leaf.has("scheduledFor")) {
      return "";
    }
    long actual = leaf.path("actual").asLong();
    long expected = leaf.path("expected").asLong();
    return leaf.path("type").asText().equals("size")
        ? actual / MEGABYTE + "/" + expected / MEGABYTE + " MB"
        : actual + "/" + expected;
  }

  String schedule() {
    return job.schedule().name();
  }

  /** Whether only time leaves triggered it. */
  boolean isTimed() {
    return job.isFire();
  }

  long lateMillis() {
    return Duration.between(scheduledFor, arrivedAt).toMillis();
  }

  boolean isEarly() {
    return sentAt.isBefore(scheduledFor);
  }
}
