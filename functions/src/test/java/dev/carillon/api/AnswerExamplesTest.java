package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.OpenApi.Operation;
import dev.carillon.id.PoolId;
import dev.carillon.system.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of answers show each member, and the named ones are what the handler answers. The
 * clock begins at noon on Tuesday, 10 March 2026.
 */
class AnswerExamplesTest {

  private static final String JOBS = "/v1/namespaces/default/jobs";

  /** Where answers name the caller of the tests. */
  private static final Pattern CALLER = Pattern.compile("(?<=[bB]y\":\"|by )local\\b");

  /** The caller that the examples name instead. */
  private static final String ANN = "arn:aws:iam::123456789012:user/ann";

  private static final String ENDED = "arn:aws:sqs:us-east-1:000000000000:ended";

  /** The first is null in each answer, and examples show no null; the other is in requests only. */
  private static final Set<String> NEVER_SHOWN =
      Set.of(
          "#/components/schemas/Deployment/deploying",
          "#/components/schemas/ScheduleDocument/state");

  /** Named examples whose situation this test does not repeat. */
  private static final Set<String> NOT_COMPARED =
      Set.of(
          "explainSchedule active",
          "explainJob waiting",
          "listJobs waiting",
          "listNamespaceJobs running");

  private final Caller caller = new Caller();
  private final World world = caller.world;

  @Test
  void examplesOfAnswersShowEachMember() {
    Set<String> shown = new TreeSet<>();
    Set<String> all = new TreeSet<>();
    for (Operation operation : OpenApi.operations()) {
      for (JsonNode response : operation.node().path("responses")) {
        JsonNode content = response.at("/content/application~1json");
        OpenApi.examples(content)
            .values()
            .forEach(it -> ShownMembers.addShown(it, content.path("schema"), shown));
        ShownMembers.addAll(content.path("schema"), all);
      }
    }
    all.removeAll(shown);
    assertThat(all).as("no example shows these members").isEqualTo(NEVER_SHOWN);
  }

  static List<String> compared() {
    List<String> names = new ArrayList<>(List.of("previewDocument", "getSchedule"));
    for (Operation operation : OpenApi.operations()) {
      String id = operation.node().path("operationId").asText();
      for (JsonNode response : operation.node().path("responses")) {
        OpenApi.names(response.at("/content/application~1json/examples"))
            .forEach(name -> names.add(id + " " + name));
      }
    }
    assertThat(names).containsAll(NOT_COMPARED);
    names.removeAll(NOT_COMPARED);
    return names;
  }

  @ParameterizedTest
  @MethodSource("compared")
  void theExampleIsWhatTheHandlerAnswers(String name) {
    JsonNode answer =
        switch (name) {
          case "previewDocument" -> preview();
          case "getSchedule" -> nightlyExport();
          case "explainSchedule collecting" -> collecting();
          case "explainSchedule suspended" -> suspended();
          case "explainJob limited" -> limited();
          case "explainJob inPool" -> inPool();
          case "explainJob running" -> running();
          case "listJobs ended" -> ended();
          case "listNamespaceJobs firstPage" -> firstPage();
          default -> throw new IllegalArgumentException("make the situation of " + name);
        };
    JsonNode shown = ShownMembers.withoutNulls(answer);
    assertThat(documented(name))
        .isEqualTo(Caller.json(CALLER.matcher(shown.toString()).replaceAll(ANN)));
  }

  /** The example of an operation, or the named one. */
  private static JsonNode documented(String name) {
    String[] parts = name.split(" ");
    JsonNode content = operation(parts[0]).at("/responses/200/content/application~1json");
    return OpenApi.examples(content).get(parts.length == 1 ? "" : parts[1]);
  }

  private static JsonNode operation(String id) {
    return OpenApi.operations().stream()
        .map(Operation::node)
        .filter(node -> node.path("operationId").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static String request(String id) {
    return operation(id).at("/requestBody/content/application~1json/example").toString();
  }

  private JsonNode preview() {
    return caller.post("/v1/preview", request("previewDocument")).is(200).json();
  }

  private JsonNode nightlyExport() {
    String calendar = "/v1/namespaces/default/calendars/us-holidays";
    caller.send("PUT", calendar, request("putCalendar"), Map.of()).is(201);
    caller.put("nightly-export", request("putSchedule")).is(201);
    return caller.schedule("nightly-export").is(200).json();
  }

  private void run(int seconds) {
    world.runFor(Duration.ofSeconds(seconds));
  }

  private JsonNode answer(String path) {
    return caller.get(path).is(200).json();
  }

  private String launched(String schedule, String body) {
    String job = caller.act(schedule, "launch", body).is(202).json().path("jobId").asText();
    run(2);
    return job;
  }

  private JsonNode explained(String job) {
    return answer(JOBS + "/" + job + "/explain");
  }

  /** A schedule of which two of three partitions have come. */
  private JsonNode collecting() {
    caller
        .put(
            "sales-report",
            """
            {"trigger": {"type": "or", "triggers": [
               {"type": "partition", "dataset": "sales", "count": 3},
               {"type": "elapsed", "since": "lastLaunch", "duration": "PT24H"}]},
             "timeout": {"after": "PT6H", "action": "launch"},
             "target": {"queue": "reports", "template": {"now": "${scheduledFor}"}},
             "state": "ACTIVE"}
            """)
        .is(201);
    world.partitions("sales", 2);
    run(2);
    return answer(Caller.SCHEDULES + "/sales-report/explain");
  }

  private JsonNode suspended() {
    collecting();
    caller
        .act(
            "sales-report",
            "suspend",
            """
            {"mode": "drain", "reason": "the warehouse moves", "until": "2026-03-11T06:00:00Z"}
            """)
        .is(200);
    return answer(Caller.SCHEDULES + "/sales-report/explain");
  }

  private JsonNode limited() {
    caller
        .put(
            "hourly-mail",
            """
            {"trigger": {"type": "manual"}, "state": "ACTIVE",
             "constraints": [{"type": "rate", "max": 1, "per": "PT1H"}],
             "target": {"queue": "mails", "template": {}}}
            """)
        .is(201);
    launched("hourly-mail", "{}");
    run(600);
    return explained(launched("hourly-mail", "{}"));
  }

  private void poolAndSchedule() {
    caller
        .send(
            "PUT",
            "/v1/namespaces/default/pools/encode",
            "{\"queue\": \"encode\", \"depth\": 1, \"weights\": {\"acme\": 3}}",
            Map.of())
        .is(201);
    caller
        .put(
            "encode",
            """
            {"trigger": {"type": "partition", "dataset": "videos", "count": 2}, "state": "ACTIVE",
             "program": "encoder", "pool": "encode", "customer": "acme",
             "operations": [{"id": "query", "type": "sql"},
                            {"id": "upload", "type": "copy", "after": ["query"]}],
             "tracking": {"enqueueTimeout": "PT2H"},
             "target": {"template": {"at": "${scheduledFor}"}}}
            """)
        .is(201);
  }

  private JsonNode running() {
    poolAndSchedule();
    String job = launched("encode", "{}");
    String states = ", \"operations\": {\"query\": \"SUCCEEDED\"}";
    report(job, "heartbeat", states);
    return explained(job);
  }

  /** A job behind two others; so many were chosen before that the choice can be estimated. */
  private JsonNode inPool() {
    poolAndSchedule();
    for (int number = 0; number < 12; number++) {
      report(launched("encode", "{}"), "succeed", "");
    }
    launched("encode", "{}");
    launched("encode", "{}");
    world.sleepUntil("2026-03-10T12:40:00Z");
    world.partitions("videos", 2);
    run(2);
    world
        .gates
        .pools()
        .planChoice(new PoolId("default", "encode"), Instant.parse("2026-03-10T12:40:05Z"));
    return explained(
        answer(Caller.SCHEDULES + "/encode/jobs?limit=1").at("/jobs/0/jobId").asText());
  }

  /** Claims a job and, 20 seconds later, reports. */
  private void report(String job, String report, String more) {
    String path = JOBS + "/" + job;
    JsonNode claim = caller.post(path + "/claim", "{\"worker\": \"encoder-1\"}").is(200).json();
    run(20);
    caller
        .post(
            path + "/" + report,
            "{\"claimToken\": \"%s\"%s}".formatted(claim.path("claimToken").asText(), more))
        .is(200);
    run(3);
  }

  private JsonNode ended() {
    caller
        .put(
            "thumbnails",
            """
            {"trigger": {"type": "manual"}, "state": "ACTIVE", "customer": "acme", "tracking": {},
             "retry": {"maxAttempts": 2, "backoff": "PT1S"},
             "target": {"queue": "thumbnails", "template": {"at": "${scheduledFor}"}},
             "onEnd": {"queue": "ended", "template": {"outcome": "${outcome}"}}}
            """)
        .is(201);
    String error = ", \"error\": \"the disk is full\"";
    launched("thumbnails", "{}");
    String recovered = launched("thumbnails", "{}");
    report(recovered, "fail", error);
    report(recovered, "succeed", ", \"output\": {\"files\": 7}");
    String failed = launched("thumbnails", "{}");
    report(failed, "fail", error);
    world.targets.refuse(ENDED, "the queue does not exist; create it");
    report(failed, "fail", error);
    return answer(Caller.SCHEDULES + "/thumbnails/jobs?limit=2");
  }

  private JsonNode firstPage() {
    caller
        .put(
            "encode",
            """
            {"trigger": {"type": "manual"}, "state": "ACTIVE", "program": "encoder",
             "target": {"queue": "encode", "template": {}}}
            """)
        .is(201);
    launched("encode", "{\"properties\": {\"linkId\": \"order-81\"}}");
    launched("encode", "{\"properties\": {\"linkId\": \"order-81\"}}");
    return answer(JOBS + "?linkId=order-81&limit=1");
  }
}
