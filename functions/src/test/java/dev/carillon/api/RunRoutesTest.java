package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of a tracked job over HTTP. */
class RunRoutesTest {

  private static final String JOBS = "/v1/namespaces/default/jobs/";
  private static final String TRACKED =
      ", \"state\": \"ACTIVE\", \"tracking\": {}, \"retry\": {\"backoff\": \"PT1H\", \"maxBackoff\": \"PT1H\"}";

  private final Caller caller = new Caller();
  private String job = "";

  @BeforeEach
  void launch() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", TRACKED)).is(201);
    job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
  }

  private Caller.Reply post(String report, String body) {
    return caller.send("POST", JOBS + job + "/" + report, body, Map.of());
  }

  private JsonNode claimed() {
    return post("claim", "{\"worker\": \"w\", \"attempt\": 1}").is(200).json();
  }

  private static String with(JsonNode claim, String more) {
    return "{\"claimToken\": \"%s\"%s}".formatted(claim.path("claimToken").asText(), more);
  }

  private JsonNode shown() {
    return caller.get(JOBS + job).is(200).json();
  }

  private String summary() {
    return caller.get(JOBS + job + "/explain").is(200).json().path("summary").asText();
  }

  @Test
  void aClaimAndItsReports() {
    JsonNode claim = claimed();
    assertThat(claim.path("attempt").asInt()).isEqualTo(1);
    assertThat(claim.path("expiresIn").asDouble()).isEqualTo(60);
    assertThat(claimed()).isEqualTo(claim);
    JsonNode beat = post("heartbeat", with(claim, ", \"progress\": {\"done\": 4}")).is(200).json();
    assertThat(beat.path("cancelled").asBoolean()).isFalse();
    assertThat(shown().path("worker").asText()).isEqualTo("w");
    assertThat(shown().at("/progress/done").asInt()).isEqualTo(4);
    post("succeed", with(claim, ", \"output\": [1, 2]")).is(200);
    assertThat(post("succeed", with(claim, ", \"output\": [1, 2]")).is(200).json().path("state"))
        .hasToString("\"SUCCEEDED\"");
    assertThat(shown().path("output")).hasToString("[1,2]");
    assertThat(shown().path("state").asText()).isEqualTo("SUCCEEDED");
  }

  /** The answer to a heartbeat can be lost; from then on Carillon waits only for that time-out. */
  @ParameterizedTest
  @CsvSource({"PT1M,  PT10S, PT1H,  10", "PT15M, PT1H,  PT30S, 30", "PT20S, PT1M,  PT1H,  20"})
  void aClaimIsAnsweredWithTheShortestTimeoutThatAHeartbeatCanSet(
      String claim, String heartbeat, String run, double expected) {
    String tracking =
        TRACKED.replace(
            "{}",
            "{\"claimTimeout\": \"%s\", \"heartbeatTimeout\": \"%s\", \"runTimeout\": \"%s\"}"
                .formatted(claim, heartbeat, run));
    caller.put("b", Docs.of("{\"type\": \"manual\"}", tracking)).is(201);
    job = caller.act("b", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));

    JsonNode claimed = claimed();

    assertThat(claimed.path("expiresIn").asDouble()).isEqualTo(expected);
    Instant expiresAt = Instant.parse(claimed.path("expiresAt").asText());
    assertThat(expiresAt).isEqualTo(caller.world.now().plusMillis(Math.round(expected * 1000)));
    String first = with(claimed, "");
    Instant after =
        Instant.parse(post("heartbeat", first).is(200).json().at("/expiresAt").asText());
    assertThat(after).isAfterOrEqualTo(expiresAt);
  }

  @Test
  void eachRefusalHasItsType() {
    JsonNode claim = claimed();
    assertThat(post("claim", "{\"worker\": \"other\"}").is(409).json().path("type").asText())
        .isEqualTo("urn:carillon:problem:superseded");
    assertThat(post("heartbeat", "{\"claimToken\": \"no\"}").is(409).json().path("type").asText())
        .isEqualTo("urn:carillon:problem:stale-claim");
    post("fail", with(claim, "")).is(200);
    assertThat(post("claim", "{\"worker\": \"w\"}").is(409).json().path("type").asText())
        .isEqualTo("urn:carillon:problem:not-yet");
    assertThat(post("retry", "{}").is(409).json().path("type").asText())
        .isEqualTo("urn:carillon:problem:state-conflict");
  }

  @Test
  void badReportsAreRefusedWithEachFault() {
    JsonNode claim = claimed();
    JsonNode faults =
        post("fail", "{\"error\": 5, \"retriable\": \"no\", \"why\": 1}").is(400).json();
    assertThat(faults.path("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/claimToken", "/error", "/retriable", "/why");
    String large = ", \"output\": \"" + "x".repeat(9_000) + "\"";
    post("succeed", with(claim, large)).is(413);
    post("heartbeat", with(claim, ", \"progress\": \"" + "x".repeat(3_000) + "\"")).is(413);
    post("claim", "{\"worker\": \"\"}").is(400);
    assertThat(shown().path("state").asText()).isEqualTo("CLAIMED");
  }

  private static final String THREE =
      "[{\"id\": \"1\", \"type\": \"copy\"}, {\"id\": \"2\", \"after\": [\"1\"]}, {\"id\": \"3\", \"after\": [\"2\"]}]";

  private JsonNode explained() {
    return caller.get(JOBS + job + "/explain").is(200).json();
  }

  @Test
  void aRetryResumesAtTheOperationThatFailed() {
    String fast = TRACKED.replace("PT1H", "PT1S") + ", \"operations\": " + THREE;
    caller.put("b", Docs.of("{\"type\": \"manual\"}", fast)).is(201);
    job = caller.act("b", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
    JsonNode claim = claimed();
    assertThat(claim.path("operations").findValuesAsText("state"))
        .containsExactly("WAITING", "WAITING", "WAITING");
    assertThat(claim.at("/operations/0/type").asText()).isEqualTo("copy");
    String states =
        ", \"operations\": {\"1\": \"SUCCEEDED\", \"2\": \"SUCCEEDED\", \"3\": \"RUNNING\"}";
    post("heartbeat", with(claim, states)).is(200);
    assertThat(explained().path("readyOperations")).isEmpty();
    post("fail", with(claim, ", \"error\": \"3 is broken\"")).is(200);
    assertThat(explained().path("readyOperations")).hasToString("[\"3\"]");
    caller.world.runFor(Duration.ofSeconds(5));
    JsonNode again = post("claim", "{\"worker\": \"w2\", \"attempt\": 2}").is(200).json();
    assertThat(again.path("operations").findValuesAsText("state"))
        .containsExactly("SUCCEEDED", "SUCCEEDED", "WAITING");
    assertThat(shown().path("operations")).isEqualTo(again.path("operations"));
  }

  @Test
  void aLaunchBringsItsOwnOperations() {
    job =
        caller
            .act("a", "launch", "{\"operations\": [{\"id\": \"own\"}]}")
            .is(202)
            .json()
            .path("jobId")
            .asText();
    caller.world.runFor(Duration.ofSeconds(2));
    assertThat(claimed().path("operations"))
        .hasToString("[{\"id\":\"own\",\"type\":null,\"state\":\"WAITING\",\"after\":[]}]");
    caller.act("a", "launch", "{\"operations\": [{\"id\": \"x\", \"after\": [\"y\"]}]}").is(400);
    caller.put("plain", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\"")).is(201);
    assertThat(caller.act("plain", "launch", "{\"operations\": [{\"id\": \"x\"}]}").is(400).body())
        .contains("the schedule has no \\\"tracking\\\"");
  }

  @Test
  void anUnknownOperationIsRefusedByName() {
    JsonNode claim = claimed();
    JsonNode refused =
        post("heartbeat", with(claim, ", \"operations\": {\"a/b\": \"RUNNING\"}")).is(400).json();
    assertThat(refused.at("/errors/0/pointer").asText()).isEqualTo("/operations/a~1b");
    assertThat(refused.at("/errors/0/detail").asText()).contains("the job has no operations");
    assertThat(
            post("heartbeat", with(claim, ", \"operations\": {\"a\": \"DONE\"}"))
                .is(400)
                .json()
                .at("/errors/0/detail")
                .asText())
        .contains("use one of \"WAITING\"");
    assertThat(shown().path("state").asText()).isEqualTo("CLAIMED");
    assertThat(shown().has("operations")).isFalse();
  }

  @Test
  void anotherNamespaceDoesNotSeeTheJob() {
    caller
        .send(
            "POST", "/v1/namespaces/other/jobs/" + job + "/claim", "{\"worker\": \"w\"}", Map.of())
        .is(404);
  }

  @Test
  void aLongErrorIsCut() {
    JsonNode claim = claimed();
    post("fail", with(claim, ", \"error\": \"" + "x".repeat(9_000) + "\"")).is(200);
    assertThat(shown().path("error").asText()).hasSize(4_096);
  }

  @Test
  void anExplanationSaysWhatIsAwaited() {
    assertThat(summary()).contains("if no worker claims it by");
    JsonNode claim = claimed();
    assertThat(summary()).startsWith("worker w has claimed it; if no report comes by");
    post("heartbeat", with(claim, "")).is(200);
    assertThat(summary()).startsWith("worker w has run it since");
    assertThat(summary())
        .contains(", its last report came at 2026-03-10T12:00:02.000Z; if no report comes by")
        .endsWith("the attempt has failed, and attempt 2 of 3 follows");
    post("cancel", "{}").is(200);
    assertThat(summary()).contains("and is asked to stop").endsWith("the job ends CANCELLED");
    assertThat(post("heartbeat", with(claim, "")).is(200).json().path("cancelled").asBoolean())
        .isTrue();
    post("fail", with(claim, "")).is(200);
    assertThat(shown().path("state").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void anExplanationSaysThatNoAttemptFollows() {
    claimed();
    caller.put("a", Docs.of("{\"type\": \"manual\"}", TRACKED + ", \"priority\": 1")).is(200);
    assertThat(summary()).endsWith("the job has failed, as no attempt follows");
  }

  @Test
  void aChangeCancelsAJobThatWaitsForItsRetry() {
    post("fail", with(claimed(), ", \"error\": \"boom\"")).is(200);
    assertThat(summary()).startsWith("its last attempt failed: worker w reported a failure: boom");
    caller.delete("a").is(204);
    caller.world.runFor(Duration.ofMinutes(3));
    assertThat(shown().path("state").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void aJobThatIsNotTrackedCannotBeClaimed() {
    caller.put("plain", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\"")).is(201);
    job = caller.act("plain", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
    assertThat(post("claim", "{\"worker\": \"w\"}").is(409).body()).contains("is not tracked");
    assertThat(post("cancel", "{}").is(409).body()).contains("has ended");
  }

  @Test
  void aCollectingJobCannotBeCancelledAlone() {
    caller.put("collects", Docs.active(Docs.partition("d", 2))).is(201);
    caller.world.partitions("d", 1);
    caller.world.runFor(Duration.ofSeconds(2));
    job = caller.get(Caller.SCHEDULES + "/collects/jobs").json().at("/jobs/0/jobId").asText();
    assertThat(post("cancel", "{}").is(409).body()).contains("still collects events");
  }
}
