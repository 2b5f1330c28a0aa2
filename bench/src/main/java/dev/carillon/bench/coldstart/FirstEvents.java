package dev.carillon.bench.coldstart;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.lambda.Carillon;
import dev.carillon.runtime.Deadline;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Creates an event for each function that exercises its main path: a launch, a counted event that
 * satisfies a trigger, the success of a claimed job, a new schedule, and a tick without overdue
 * timers.
 */
final class FirstEvents implements AutoCloseable {

  private static final String NAMESPACE = "cold";
  private static final String CLOCKWORK = "each-second";
  private static final String COLLECTOR = "by-event";
  private static final String TRACKED = "tracked";
  private static final String SCHEDULE = "/v1/namespaces/{ns}/schedules/{name}";
  private static final String CLAIM = "/v1/namespaces/{ns}/jobs/{id}/claim";
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;

  private final Carillon carillon;
  private final long generation;
  private Instant lastFire;
  private int number;

  /** Creates the schedules for the events. */
  FirstEvents(Map<String, String> environment) {
    carillon = Carillon.of(environment);
    ObjectNode cron = trigger("cron").put("expression", "* * * * * ?");
    generation = create(CLOCKWORK, document(cron)).path("generation").longValue();
    create(COLLECTOR, document(trigger("event").put("key", "cold")));
    ObjectNode tracked = document(trigger("manual"));
    tracked.putObject("tracking");
    create(TRACKED, tracked);
    lastFire = Instant.now();
  }

  private static ObjectNode trigger(String type) {
    return Json.object().put("type", type);
  }

  private JsonNode create(String name, ObjectNode document) {
    return call("PUT", SCHEDULE, Map.of("name", name), document, CREATED);
  }

  private JsonNode call(
      String method, String route, Map<String, String> path, ObjectNode body, int expected) {
    Map<String, String> parameters = new HashMap<>(path);
    parameters.put("ns", NAMESPACE);
    APIGatewayProxyResponseEvent answer =
        carillon
            .api()
            .handle(
                new APIGatewayProxyRequestEvent()
                    .withResource(route)
                    .withHttpMethod(method)
                    .withPathParameters(parameters)
                    .withHeaders(Map.of("Content-Type", "application/json"))
                    .withBody(Json.write(body)));
    if (answer.getStatusCode() != expected) {
      throw new CannotRun(method + " " + route + " " + path + ": " + answer.getBody());
    }
    return Json.readObject(answer.getBody());
  }

  private static ObjectNode document(ObjectNode trigger) {
    ObjectNode document = Json.object().put("state", "ACTIVE");
    document.set("trigger", trigger);
    document.set(
        "target",
        Json.object()
            .put("queue", "cold-starts")
            .set("template", Json.object().put("at", "${scheduledFor}")));
    return document;
  }

  /** The next event for the function. */
  String of(String function) {
    return Json.write(
        switch (function) {
          case "MasterFunction" -> tick();
          case "IngestFunction" -> message(event());
          case "CheckerFunction" -> message(check());
          case "ReportFunction" -> message(report());
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

  /** A successful report about a job that was just launched and claimed. */
  private String report() {
    Map<String, String> launched = Map.of("name", TRACKED);
    String job =
        call("POST", SCHEDULE + "/launch", launched, Json.object(), ACCEPTED)
            .path("jobId")
            .asText();
    Instant now = Instant.now();
    String check = CheckJson.write(new Check(now, List.of(JobId.parse(job))));
    Deadline deadline = new Deadline(now.plus(LONGEST), Clock.systemUTC());
    Set<String> failed =
        carillon.checkMessages().handle(List.of(new Message("launch", check, 1)), deadline);
    if (!failed.isEmpty()) {
      throw new CannotRun("job " + job + " was not launched");
    }
    JsonNode claim =
        call("POST", CLAIM, Map.of("id", job), Json.object().put("worker", "cold"), OK);
    return Json.write(
        Json.object()
            .put("report", "succeed")
            .put("namespace", NAMESPACE)
            .put("jobId", job)
            .put("claimToken", claim.path("claimToken").asText()));
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
            .put("body", Json.write(document(trigger("rate").put("every", "P1D"))));
    request.set("headers", Json.object().put("Content-Type", "application/json"));
    request.set(
        "pathParameters", Json.object().put("ns", NAMESPACE).put("name", "new-" + number++));
    return request;
  }

  @Override
  public void close() {
    carillon.close();
  }
}
