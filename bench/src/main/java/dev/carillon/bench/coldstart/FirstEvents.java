package dev.carillon.bench.coldstart;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Carillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Creates an event for each function that exercises its main path: a launch, a counted event that
 * satisfies a trigger, a new schedule, and a tick without overdue timers.
 */
final class FirstEvents {

  private static final String NAMESPACE = "cold";
  private static final String CLOCKWORK = "each-second";
  private static final String COLLECTOR = "by-event";
  private static final String SCHEDULE = "/v1/namespaces/{ns}/schedules/{name}";
  private static final int CREATED = 201;

  private final long generation;
  private Instant lastFire;
  private int number;

  /** Creates the schedules for the events. */
  FirstEvents(Map<String, String> environment) {
    try (Carillon carillon = Carillon.of(environment)) {
      ObjectNode cron = Json.object().put("type", "cron").put("expression", "* * * * * ?");
      generation = create(carillon, CLOCKWORK, cron).path("generation").longValue();
      create(carillon, COLLECTOR, Json.object().put("type", "event").put("key", "cold"));
    }
    lastFire = Instant.now();
  }

  private static JsonNode create(Carillon carillon, String name, ObjectNode trigger) {
    APIGatewayProxyResponseEvent answer =
        carillon
            .api()
            .handle(
                new APIGatewayProxyRequestEvent()
                    .withResource(SCHEDULE)
                    .withHttpMethod("PUT")
                    .withPathParameters(Map.of("ns", NAMESPACE, "name", name))
                    .withHeaders(Map.of("Content-Type", "application/json"))
                    .withBody(document(trigger)));
    if (answer.getStatusCode() != CREATED) {
      throw new CannotRun(name + " was not created: " + answer.getBody());
    }
    return Json.readObject(answer.getBody());
  }

  private static String document(ObjectNode trigger) {
    ObjectNode document = Json.object().put("state", "ACTIVE");
    document.set("trigger", trigger);
    document.set(
        "target",
        Json.object()
            .put("queue", "cold-starts")
            .set("template", Json.object().put("at", "${scheduledFor}")));
    return Json.write(document);
  }

  /** The next event for the function. */
  String of(String function) {
    return Json.write(
        switch (function) {
          case "MasterFunction" -> tick();
          case "IngestFunction" -> message(event());
          case "CheckerFunction" -> message(check());
          case "ApiFunction" -> request();
          default -> throw new CannotRun("there is no sample event for " + function);
        });
  }

  private static ObjectNode tick() {
    ObjectNode tick = Json.object().put("source", "aws.events");
    tick.put("id", UUID.randomUUID().toString()).put("detail-type", "Scheduled Event");
    return tick.put("time", "2026-03-01T10:00:00Z");
  }

  private String event() {
    return Json.write(
        Json.object()
            .put("id", "event-" + number++)
            .put("namespace", NAMESPACE)
            .put("eventType", "cold")
            .set("payload", Json.object()));
  }

  /** A check message for a due fire that was not checked before. */
  private String check() {
    Instant fire = Instant.ofEpochSecond(lastFire.getEpochSecond() + 1);
    lastFire = fire;
    Waiting.until(fire.plus(Duration.ofMillis(1)));
    JobId job = JobId.ofFire(new ScheduleId(NAMESPACE, CLOCKWORK), generation, fire);
    return CheckJson.write(new Check(fire, List.of(job)));
  }

  private static ObjectNode message(String body) {
    ObjectNode message =
        Json.object()
            .put("messageId", UUID.randomUUID().toString())
            .put("body", body)
            .put("eventSource", "aws:sqs");
    message.set("attributes", Json.object().put("ApproximateReceiveCount", "1"));
    ObjectNode batch = Json.object();
    batch.putArray("Records").add(message);
    return batch;
  }

  private ObjectNode request() {
    ObjectNode request =
        Json.object()
            .put("resource", SCHEDULE)
            .put("httpMethod", "PUT")
            .put("body", document(Json.object().put("type", "rate").put("every", "P1D")));
    request.set("headers", Json.object().put("Content-Type", "application/json"));
    request.set(
        "pathParameters", Json.object().put("ns", NAMESPACE).put("name", "new-" + number++));
    return request;
  }
}
