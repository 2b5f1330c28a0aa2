package dev.carillon.bench.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A launch request from the target queue.
 *
 * @param sentAt when the queue accepted it
 * @param events the ids of the events that its job counted
 */
record Arrival(
    String messageId,
    String jobId,
    int attempt,
    String schedule,
    Instant scheduledFor,
    Instant sentAt,
    List<String> events) {

  static Arrival of(Message message) {
    String sent = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
    JsonNode events = Json.readObject(message.body()).path("trigger").path("events");
    return new Arrival(
        message.messageId(),
        attribute(message, "carillon-job-id"),
        Integer.parseInt(attribute(message, "carillon-attempt")),
        attribute(message, "carillon-schedule"),
        Instant.parse(attribute(message, "carillon-scheduled-for")),
        Instant.ofEpochMilli(Long.parseLong(sent)),
        StreamSupport.stream(events.spliterator(), false)
            .map(event -> event.path("id").textValue())
            .toList());
  }

  private static String attribute(Message message, String name) {
    return Objects.requireNonNull(message.messageAttributes().get(name), name).stringValue();
  }

  boolean isOf(String scheduleName) {
    return schedule.equals(Deployment.NAMESPACE + "/" + scheduleName);
  }
}
