package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.log.Output;
import dev.carillon.schedule.Definition;
import dev.carillon.schedule.Lifecycle;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.schedule.Schedules.Change;
import dev.carillon.schedule.StoredSchedule;
import dev.carillon.system.World;
import dev.carillon.timer.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Submitted content never appears in a log, even after a failure. */
@Isolated
class LogsTest {

  private static final String SECRET = "s3cr3t-content";

  private final World world = new World("2026-03-01T10:00:00Z");

  private static String document(String trigger, String queue) {
    return """
        {"trigger": %s, "state": "ACTIVE", "description": "%s",
         "target": {"queue": "%s", "template": {"a": "%s", "e": "${events[0].payload}"}}}
        """
        .formatted(trigger, SECRET, queue, SECRET);
  }

  private static String event(String key) {
    return "{\"eventType\": \"%s\", \"payload\": {\"a\": \"%s\"}}".formatted(key, SECRET);
  }

  @Test
  void eventsAndSchedulesThatFailAreNotQuoted() {
    try (Output output = new Output()) {
      ScheduleId stuck = world.put("stuck", document("{\"type\": \"event\", \"key\": \"k\"}", "q"));
      world.put("refused", document("{\"type\": \"event\", \"key\": \"r\"}", "refusing"));
      world.targets.refuse("arn:aws:sqs:us-east-1:000000000000:refusing", "not now");
      world.failSavesOf(stuck);
      world.event(event("k"));
      world.event(event("r"));
      world.event("{\"eventType\": " + SECRET + "}");
      world.event("{\"eventType\": 5, \"payload\": \"" + SECRET + "\"}");
      world.runFor(Duration.ofSeconds(65));
      damage(stuck);
      ObjectNode leaf = Json.object().put("type", "cron").put("expression", SECRET);
      world.timers.put(List.of(new Timer(stuck, world.now(), activation(stuck), 0, 1, leaf)));
      world.runFor(Duration.ofSeconds(65));
      world.sleepUntil("2026-03-02T11:00:00Z");
      world.runFor(Duration.ofSeconds(65));
      assertThat(output.text())
          .contains("could not count events", "\"schedule\":\"default/stuck\"")
          .contains("was refused: not now", "\"jobId\":\"default~refused~")
          .contains("the definition of default/stuck cannot be read")
          .contains("the timer of leaf 0 of default/stuck cannot be read")
          .doesNotContain(SECRET);
    }
  }

  private long activation(ScheduleId id) {
    return world.schedules.find(id).orElseThrow().head().activation();
  }

  private void damage(ScheduleId id) {
    StoredSchedule stored = world.schedules.find(id).orElseThrow();
    Definition old = stored.definition();
    ObjectNode damaged = old.document().deepCopy().put("zone", SECRET);
    damaged.put("trigger", SECRET);
    Definition definition =
        new Definition(
            id,
            old.generation(),
            damaged,
            old.generationSince(),
            old.createdAt(),
            old.createdBy(),
            old.updatedAt());
    Change change =
        Lifecycle.annotate(
            stored, new ScheduleParser(ZoneOffset.UTC).parseStored(old), world.now());
    assertThat(
            world.schedules.save(
                new Change(
                    change.before(), change.after(), definition, Set.of(), Set.of(), List.of())))
        .isTrue();
  }

  @Test
  void messagesAndRequestsThatFailAreNotQuoted() {
    CloudDouble cloud = new CloudDouble();
    Instant now = Instant.parse("2026-03-01T10:00:00Z");
    Carillon carillon = Carillon.of(cloud.environment(), cloud.dynamoDb(), cloud.sqs(), () -> now);
    cloud.unreachable = true;
    try (Output output = new Output()) {
      SQSMessage message = new SQSMessage();
      message.setMessageId("m1");
      message.setAttributes(Map.of("ApproximateReceiveCount", SECRET));
      message.setBody("{\"due\": " + SECRET + "}");
      SQSEvent batch = new SQSEvent();
      batch.setRecords(List.of(message));
      new CheckerHandler(carillon).handleRequest(batch, CloudDouble.context());
      message.setAttributes(Map.of());
      new CheckerHandler(carillon).handleRequest(batch, CloudDouble.context());
      new ApiHandler(carillon)
          .handleRequest(
              new APIGatewayProxyRequestEvent()
                  .withHttpMethod("PUT")
                  .withResource("/v1/namespaces/{ns}/schedules/{name}")
                  .withPathParameters(Map.of("ns", "default", "name", "a"))
                  .withBody(document("{\"type\": \"manual\"}", "q")),
              CloudDouble.context());
      assertThat(output.text())
          .contains("message m1 of the check queue is not a check")
          .contains("PUT /v1/namespaces/{ns}/schedules/{name} failed")
          .contains("the service is unavailable")
          .doesNotContain(SECRET);
    }
  }
}
