package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import dev.carillon.event.RejectedMessage;
import dev.carillon.metrics.Metric;
import dev.carillon.report.ReportMessages.Received;
import dev.carillon.runtime.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports have the same meaning over HTTP and through the report queue. */
class ReportWaysTest {

  private static final String DROPPED = "dropped";
  private static final String JOBS = "/v1/namespaces/default/jobs/";
  private static final String TRACKED =
      ", \"state\": \"ACTIVE\", \"tracking\": {}, \"retry\": {\"backoff\": \"PT1H\","
          + " \"maxBackoff\": \"PT1H\"}, \"operations\": [{\"id\": \"load\"}]";

  private final Caller caller = new Caller();
  private String job = "";
  private String token = "";

  enum Way {
    HTTP,
    QUEUE
  }

  @BeforeEach
  void claimed() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", TRACKED)).is(201);
    launched();
  }

  private void launched() {
    job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
    token =
        caller
            .send("POST", JOBS + job + "/claim", "{\"worker\": \"w\"}", Map.of())
            .is(200)
            .json()
            .path("claimToken")
            .asText();
  }

  /** Why a report was refused; empty if it was accepted. */
  private String refusal(Way way, String kind, String more) {
    return refusal(way, kind, "default", job, token, more);
  }

  private String refusal(
      Way way, String kind, String namespace, String jobId, String claimToken, String more) {
    ObjectNode body = Json.readObject("{\"claimToken\": \"" + claimToken + "\"" + more + "}");
    return way == Way.HTTP
        ? answered("/v1/namespaces/" + namespace + "/jobs/" + jobId + "/" + kind, body)
        : queued(body.put("report", kind).put("namespace", namespace).put("jobId", jobId));
  }

  private String answered(String path, ObjectNode body) {
    Caller.Reply reply = caller.send("POST", path, Json.write(body), Map.of());
    if (reply.status() == 200) {
      return "";
    }
    assertThat(reply.status()).isBetween(400, 413);
    List<String> faults = reply.json().path("errors").findValuesAsText("detail");
    return reply.json().path("detail").asText() + " " + String.join(" ", faults);
  }

  private String queued(ObjectNode body) {
    int before = rejected().size();
    long stale = stale();
    assertThat(handle(message("m", Json.write(body)))).isEmpty();
    List<RejectedMessage> after = rejected();
    if (stale() > stale) {
      assertThat(after).hasSize(before);
      return DROPPED;
    }
    return after.size() == before ? "" : after.get(before).attributes().get("reason");
  }

  private long stale() {
    return caller.world.metrics.counts().getOrDefault(Metric.REPORTS_STALE, 0L);
  }

  /** A request gets the reason; a message of the report queue is dropped. */
  private static void assertStale(Way way, String refusal) {
    assertThat(refusal)
        .contains(way == Way.HTTP ? "and the token is not that of its claim" : DROPPED);
  }

  private Received message(String id, String body) {
    return new Received(id, body, caller.world.now());
  }

  private List<RejectedMessage> rejected() {
    return caller.world.rejected.all();
  }

  private Set<String> handle(Received... messages) {
    Deadline plenty = new Deadline(Instant.MAX, () -> caller.world.now());
    return caller.world.reportMessages().handle(List.of(messages), plenty);
  }

  private JsonNode shown() {
    return caller.get(JOBS + job).is(200).json();
  }

  private String state() {
    return shown().path("state").asText();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aHeartbeatStoresProgressAndOperations(Way way) {
    String more = ", \"progress\": {\"done\": 4}, \"operations\": {\"load\": \"RUNNING\"}";
    assertThat(refusal(way, "heartbeat", more)).isEmpty();
    assertThat(state()).isEqualTo("RUNNING");
    assertThat(shown().at("/progress/done").asInt()).isEqualTo(4);
    assertThat(shown().at("/operations/0/state").asText()).isEqualTo("RUNNING");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aSuccessEndsTheJobAndCanBeRepeated(Way way) {
    assertThat(refusal(way, "succeed", ", \"output\": [1]")).isEmpty();
    assertThat(refusal(way, "succeed", ", \"output\": [1]")).isEmpty();
    assertThat(state()).isEqualTo("SUCCEEDED");
    assertThat(shown().path("output")).hasToString("[1]");
    assertStale(way, refusal(way, "fail", ""));
    assertThat(state()).isEqualTo("SUCCEEDED");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aFailureIsRetriedUnlessItIsFinal(Way way) {
    assertThat(refusal(way, "fail", ", \"error\": \"boom\"")).isEmpty();
    assertThat(state()).isEqualTo("RETRY_WAIT");
    launched();
    assertThat(refusal(way, "fail", ", \"error\": \"boom\", \"retriable\": false")).isEmpty();
    assertThat(state()).isEqualTo("FAILED");
    assertThat(shown().path("error").asText()).isEqualTo("boom");
  }

  /** The event that announces the end has the output as a member of its payload. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void anOutputThatNoEventCanCarryIsRefused(Way way) {
    assertThat(refusal(way, "succeed", ", \"output\": \"\\udc80\""))
        .contains("the text contains an unpaired surrogate");
    String nested = ", \"output\": %s%s";
    assertThat(refusal(way, "succeed", nested.formatted("[".repeat(31), "]".repeat(31))))
        .contains("objects and lists are nested more than 30 deep; flatten them");
    assertThat(refusal(way, "succeed", nested.formatted("[".repeat(30), "]".repeat(30)))).isEmpty();
    caller.world.runFor(Duration.ofSeconds(5));
    assertThat(state()).isEqualTo("SUCCEEDED");
    assertThat(rejected()).hasSize(way == Way.HTTP ? 0 : 2);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void anErrorIsKeptAsTextThatAMessageCanCarry(Way way) {
    assertThat(refusal(way, "fail", ", \"error\": \"\\u001b[31mboom\", \"retriable\": false"))
        .isEmpty();
    assertThat(shown().path("error").asText()).isEqualTo("\ufffd[31mboom");
    launched();
    String longest = "x".repeat(4095);
    assertThat(
            refusal(
                way, "fail", ", \"error\": \"" + longest + "\ud83d\ude00\", \"retriable\": false"))
        .isEmpty();
    assertThat(shown().path("error").asText()).isEqualTo(longest);
  }

  /** The id of the event would have more than 128 characters. */
  @Test
  void theEndOfAJobWithLongNamesIsAnnounced() {
    String schedules = "/v1/namespaces/" + "n".repeat(32) + "/schedules/";
    String name = "s".repeat(64);
    String tracked = TRACKED + ", \"program\": \"p\"";
    put(schedules + name, Docs.of("{\"type\": \"manual\"}", tracked));
    put(
        schedules + "next",
        Docs.active(
            "{\"type\": \"programStatus\", \"program\": \"p\", \"statuses\": [\"SUCCEEDED\"]}"));
    JsonNode launch =
        caller.send("POST", schedules + name + "/launch", "{}", Map.of()).is(202).json();
    caller.world.runFor(Duration.ofSeconds(2));
    String run = "/v1/namespaces/" + "n".repeat(32) + "/jobs/" + launch.path("jobId").asText();
    JsonNode claim =
        caller.send("POST", run + "/claim", "{\"worker\": \"w\"}", Map.of()).is(200).json();
    String success = "{\"claimToken\": \"" + claim.path("claimToken").asText() + "\"}";
    caller.send("POST", run + "/succeed", success, Map.of()).is(200);
    caller.world.runFor(Duration.ofSeconds(5));
    assertThat(rejected()).isEmpty();
    assertThat(caller.get(schedules + "next/jobs").is(200).json().path("jobs")).hasSize(1);
  }

  private void put(String path, String document) {
    caller.send("PUT", path, document, Map.of()).is(201);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aReportThatIsRefusedHasNoEffect(Way way) {
    JsonNode before = shown();
    String large = ", \"output\": \"" + "x".repeat(9_000) + "\"";
    assertStale(way, refusal(way, "heartbeat", "default", job, "old", ""));
    assertThat(refusal(way, "succeed", "other", job, token, "")).contains("there is no job");
    assertThat(refusal(way, "succeed", "default", job + "x", token, ""))
        .contains("there is no job");
    assertThat(refusal(way, "succeed", large)).contains("\"output\" has 9002 bytes; at most 8192");
    assertThat(refusal(way, "heartbeat", ", \"operations\": {\"laod\": \"RUNNING\"}"))
        .contains("\"laod\" is not an operation of the job; its operations are \"load\"");
    assertThat(refusal(way, "fail", ", \"retriabel\": true"))
        .contains("\"retriabel\" is an unknown field; did you mean \"retriable\"?");
    assertThat(shown()).isEqualTo(before);
  }

  @Test
  void aMessageThatIsNoReportHarmsNoOther() {
    String report =
        "{\"report\": \"succeed\", \"namespace\": \"default\", \"jobId\": \"%s\", \"claimToken\": \"%s\"}"
            .formatted(job, token);
    assertThat(
            handle(
                message("1", "no report"),
                message("2", "[]"),
                message("3", "{\"report\": \"sucede\", \"jobId\": 5}"),
                message("4", report)))
        .isEmpty();
    assertThat(state()).isEqualTo("SUCCEEDED");
    assertThat(rejected())
        .extracting(it -> it.attributes().get("reason"))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("the message is not valid JSON: "),
            second -> assertThat(second).contains("a list is not an object"),
            third ->
                assertThat(third)
                    .contains("/report: ")
                    .contains("use one of \"heartbeat\", \"succeed\", \"fail\"")
                    .contains("/namespace: ")
                    .contains("/jobId: ")
                    .contains("/claimToken: "));
  }

  private Received report(String id, String kind, Instant sentAt) {
    return new Received(
        id,
        "{\"report\": \"%s\", \"namespace\": \"default\", \"jobId\": \"%s\", \"claimToken\": \"%s\"}"
            .formatted(kind, job, token),
        sentAt);
  }

  @Test
  void reportsAboutOneJobTakeEffectInTheOrderOfTheirSending() {
    Instant now = caller.world.now();
    assertThat(
            handle(
                report("end", "succeed", now.minusSeconds(1)),
                report("beat", "heartbeat", now.minusSeconds(2))))
        .isEmpty();
    assertThat(shown().path("transitions").findValuesAsText("state"))
        .endsWith("RUNNING", "SUCCEEDED");
    assertThat(rejected()).isEmpty();
  }

  @Test
  void aHeartbeatThatTheEndHasOvertakenIsDropped() {
    handle(report("end", "succeed", caller.world.now()));
    assertThat(handle(report("beat", "heartbeat", caller.world.now()))).isEmpty();
    assertThat(state()).isEqualTo("SUCCEEDED");
    assertThat(rejected()).isEmpty();
  }

  private Received beat(String state, int done, Instant sentAt) {
    return new Received(
        "beat " + done,
        "{\"report\": \"heartbeat\", \"namespace\": \"default\", \"jobId\": \"%s\", \"claimToken\": \"%s\", \"progress\": {\"done\": %d}, \"operations\": {\"load\": \"%s\"}}"
            .formatted(job, token, done, state),
        sentAt);
  }

  @Test
  void anOlderHeartbeatThatComesLateTakesNothingBack() {
    Instant now = caller.world.now();
    assertThat(handle(beat("SUCCEEDED", 2, now.minusSeconds(1)))).isEmpty();
    assertThat(handle(beat("RUNNING", 1, now.minusSeconds(2)))).isEmpty();
    assertThat(shown().at("/operations/0/state").asText()).isEqualTo("SUCCEEDED");
    assertThat(shown().at("/progress/done").asInt()).isEqualTo(2);
    assertThat(handle(beat("FAILED", 3, now))).isEmpty();
    assertThat(shown().at("/progress/done").asInt()).isEqualTo(3);
    assertThat(rejected()).isEmpty();
  }

  @Test
  void anOperationIsDoneAlthoughALaterHeartbeatCameFirst() {
    Instant now = caller.world.now();
    assertThat(refusal(Way.HTTP, "heartbeat", ", \"progress\": {\"done\": 5}")).isEmpty();
    assertThat(handle(beat("SUCCEEDED", 1, now.minusSeconds(1)))).isEmpty();
    assertThat(shown().at("/operations/0/state").asText()).isEqualTo("SUCCEEDED");
    assertThat(shown().at("/progress/done").asInt()).isEqualTo(5);
    assertThat(rejected()).isEmpty();
  }

  @Test
  void anOperationThatFailedLaterIsNotDone() {
    Instant now = caller.world.now();
    assertThat(handle(beat("FAILED", 2, now.minusSeconds(1)))).isEmpty();
    assertThat(handle(beat("SUCCEEDED", 1, now.minusSeconds(2)))).isEmpty();
    assertThat(shown().at("/operations/0/state").asText()).isEqualTo("FAILED");
  }

  @Test
  void aReportIsReceivedAgainWhileTheStoreFails() {
    Received end = report("end", "succeed", caller.world.now());
    caller.world.faults.failAll("Jobs.update");
    assertThat(handle(end, message("bad", "no report"))).containsExactly("end");
    assertThat(rejected()).hasSize(1);
    caller.world.faults.heal();
    assertThat(state()).isEqualTo("CLAIMED");
    assertThat(handle(end)).isEmpty();
    assertThat(state()).isEqualTo("SUCCEEDED");
  }

  @Test
  void aReportIsReceivedAgainUntilItsRejectionIsStored() {
    Received bad = message("bad", "no report");
    caller.world.faults.failAll("RejectedMessages.reject");
    assertThat(handle(bad)).containsExactly("bad");
    caller.world.faults.heal();
    assertThat(handle(bad)).isEmpty();
    assertThat(rejected()).hasSize(1);
  }

  @Test
  void whatIsLeftAtTheDeadlineIsReceivedAgain() {
    Deadline past = new Deadline(caller.world.now(), () -> caller.world.now());
    Received end = report("end", "succeed", caller.world.now());
    assertThat(caller.world.reportMessages().handle(List.of(end), past)).containsExactly("end");
    assertThat(state()).isEqualTo("CLAIMED");
  }
}
