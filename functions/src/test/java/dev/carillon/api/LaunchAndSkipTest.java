package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.carillon.id.JobId;
import dev.carillon.job.JobState;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchAndSkipTest {

  private static final String MANUAL =
      """
      {"trigger": {"type": "manual"}, "properties": {"region": "eu", "mode": "full"},
       "target": {"queue": "work", "template":
         {"by": "${customer}", "how": "${priority}", "what": "${payload.file}",
          "where": "${properties.region}", "mode": "${properties.mode}"}}}
      """;

  private final Caller caller = new Caller();
  private final World world = caller.world;

  @Test
  void launchNowSendsTheValuesOfTheCaller() {
    caller.put("a", MANUAL);
    JsonNode answer =
        caller
            .act(
                "a",
                "launch",
                """
                {"customer": "acme", "priority": 1, "payload": {"file": "x.csv"},
                 "properties": {"region": "us"}, "ignoreConstraints": false}
                """)
            .is(202)
            .json();
    String route = "/v1/namespaces/default/jobs/" + answer.path("jobId").asText();
    JsonNode stored = caller.get(route).is(200).json();
    assertThat(stored.path("customer").asText()).as("before its first check").isEqualTo("acme");
    assertThat(stored.path("priority").asInt()).isEqualTo(1);
    world.runFor(Duration.ofSeconds(1));

    assertThat(answer.path("heldBy")).isEmpty();
    assertThat(answer.path("heldBy").isArray()).isTrue();
    assertThat(world.bodies())
        .containsExactly(
            "{\"by\":\"acme\",\"how\":1,\"what\":\"x.csv\",\"where\":\"us\",\"mode\":\"full\"}");
    JsonNode job = caller.get(route).is(200).json();
    assertThat(job.path("state").asText()).isEqualTo("LAUNCHED");
    assertThat(job.path("customer").asText()).isEqualTo("acme");
    assertThat(job.path("priority").asInt()).isEqualTo(1);
  }

  private static final String NIGHT =
      ", \"constraints\": [{\"type\": \"timeWindow\", \"from\": \"22:00\", \"to\": \"06:00\"}]";

  @Test
  void launchNowReportsTheConstraintsThatHoldItBack() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", NIGHT));
    JsonNode answer = caller.act("a", "launch", "{}").is(202).json();
    world.runUntil("2026-03-10T21:59:00.000Z");

    assertThat(answer.path("heldBy"))
        .containsExactly(TextNode.valueOf("its time window from 22:00 to 06:00 in Z is closed"));
    assertThat(world.arrivals).isEmpty();
    JsonNode explanation =
        caller
            .get("/v1/namespaces/default/jobs/" + answer.path("jobId").asText() + "/explain")
            .is(200)
            .json();
    assertThat(explanation.path("unmetConstraints").path(0).path("type").asText())
        .isEqualTo("timeWindow");
    assertThat(explanation.path("waitsBecause").asText()).contains("is closed");
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T22:00:00.000Z");
    assertThat(explanation.path("summary").asText())
        .isEqualTo(
            "its constraints are not satisfied; its next check is at 2026-03-10T22:00:00.000Z");

    world.runUntil("2026-03-10T22:01:00.000Z");
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void launchNowCanIgnoreConstraints() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", NIGHT));
    JsonNode answer = caller.act("a", "launch", "{\"ignoreConstraints\": true}").is(202).json();
    world.runFor(Duration.ofSeconds(1));

    assertThat(answer.path("heldBy")).isEmpty();
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aChangeOfTheDefinitionCancelsWaitingJobs() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", NIGHT));
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofSeconds(1));
    caller.put("a", Docs.of("{\"type\": \"manual\"}"));
    world.runFor(Duration.ofSeconds(1));

    assertThat(
            caller.get("/v1/namespaces/default/jobs/" + job).is(200).json().path("state").asText())
        .isEqualTo("CANCELLED");
  }

  @Test
  void aChangeOfTheDefinitionCancelsJobsThatWaitInAPool() {
    caller.send("PUT", "/v1/namespaces/default/pools/p", "{}", Map.of()).is(201);
    String pooled =
        "{\"trigger\": {\"type\": \"manual\"}, \"pool\": \"p\", \"target\": {\"template\": \"%s\"},"
            + " \"state\": \"ACTIVE\"}";
    caller.put("a", pooled.formatted("before")).is(201);
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.job(JobId.parse(job)).state()).isEqualTo(JobState.READY);
    caller.put("a", pooled.formatted("after")).is(200);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.job(JobId.parse(job)).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void launchNowNeedsNoBodyAndWorksWhileSuspended() {
    caller.put("a", Docs.of(DAILY));
    caller.act("a", "launch", null).is(202);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aLaunchWhoseInsertWasRepeatedAfterALostReplyIsOneJob() {
    caller.put("a", Docs.of(DAILY));
    caller.losesReplyToInsert = true;
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.arrivals).hasSize(1);
    assertThat(world.arrivals.get(0).request().job()).hasToString(job);
  }

  @Test
  void launchesAtOneInstantAreSeparateJobs() {
    caller.put("a", MANUAL);
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      ids.add(caller.act("a", "launch", "{}").json().path("jobId").asText());
    }
    assertThat(ids).hasSize(50).allMatch(id -> id.matches("[A-Za-z0-9._~-]{1,120}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"priority": 10}             | /priority
          {"priority": "high"}         | /priority
          {"customer": ""}             | /customer
          {"customer": 7}              | /customer
          {"properties": []}           | /properties
          {"operations": []}           | /operations
          {"ignoreConstraints": 1}     | /ignoreConstraints
          {"payLoad": 1}               | /payLoad
          """)
  void invalidLaunchesAreRefused(String body, String pointer) {
    caller.put("a", MANUAL);
    assertThat(caller.act("a", "launch", body).is(400).pointers()).containsExactly(pointer);
    assertThat(world.jobs.all()).isEmpty();
  }

  @Test
  void aPayloadThatIsTooLargeIsRefused() {
    caller.put("a", MANUAL);
    caller.act("a", "launch", "{\"payload\": \"" + "x".repeat(65_536) + "\"}").is(413);
    caller.act("a", "launch", "{\"payload\": \"" + "x".repeat(65_000) + "\"}").is(202);
  }

  @Test
  void aSkippedFireIsRecordedAndDoesNotLaunch() {
    caller.put("a", Docs.active(MINUTELY));
    JsonNode skipped = caller.act("a", "skip", "{}").is(200).json();
    world.runUntil("2026-03-10T12:02:00.000Z");

    assertThat(skipped.path("skipped").asText()).isEqualTo("2026-03-10T12:01:00.000Z");
    assertThat(world.bodies()).containsExactly("{\"at\":\"2026-03-10T12:02:00.000Z\"}");
    JsonNode job =
        caller.get("/v1/namespaces/default/jobs/" + skipped.path("jobId").asText()).json();
    assertThat(job.path("state").asText()).isEqualTo("SKIPPED");
    assertThat(job.path("transitions").path(0).path("reason").asText()).contains("local");
    assertThat(job.path("transitions").path(0).path("reasonCode").asText())
        .isEqualTo("SKIPPED_BY_HAND");
  }

  @Test
  void skippingAgainSkipsTheFollowingFire() {
    caller.put("a", Docs.active(MINUTELY));
    caller.act("a", "skip", "").is(200);
    assertThat(caller.get("/v1/namespaces/default/schedules/a").json().path("nextFire").asText())
        .isEqualTo("2026-03-10T12:02:00.000Z");
    JsonNode second = caller.act("a", "skip", "").is(200).json();

    assertThat(second.path("skipped").asText()).isEqualTo("2026-03-10T12:02:00.000Z");
  }

  @Test
  void aSkippedFireDoesNotCountForATriggerThatAlsoWaitsForData() {
    caller.put("a", Docs.active(Docs.and(MINUTELY, Docs.partition("d", 1))));
    caller.act("a", "skip", "{}").is(200);
    world.partitions("d", 1);
    world.runUntil("2026-03-10T12:01:30Z");
    assertThat(world.arrivals).isEmpty();

    world.runUntil("2026-03-10T12:02:00Z");
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void atMostAHundredFiresAreSkippedInAdvance() {
    caller.put("a", Docs.active(MINUTELY));
    for (int i = 0; i < Lookup.MOST_SKIPPED_AHEAD; i++) {
      caller.act("a", "skip", "{}").is(200);
    }
    caller.act("a", "skip", "{}").is(409);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\": \"manual\"}",
        "{\"type\": \"partition\", \"dataset\": \"d\", \"count\": 1}"
      })
  void aTriggerWithoutTimesHasNothingToSkip(String trigger) {
    caller.put("a", Docs.active(trigger));
    caller.act("a", "skip", "{}").is(409);
  }

  @Test
  void nothingIsSkippedWhileSuspendedOrAfterTheLastFire() {
    caller.put("a", Docs.of(DAILY));
    caller.act("a", "skip", "{}").is(409);

    caller.put("b", Docs.active(Docs.at("2026-03-10T13:00:00Z")));
    caller.act("b", "skip", "{}").is(200);
    caller.act("b", "skip", "{}").is(409);
    world.runUntil("2026-03-10T13:00:05Z");
    assertThat(world.arrivals).isEmpty();
    assertThat(caller.schedule("b").json().path("state").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void unknownSchedulesAreNotFound() {
    caller.act("none", "launch", "{}").is(404);
    caller.act("none", "skip", "{}").is(404);
    caller.act("none", "suspend", "{}").is(404);
    caller.act("none", "resume", "{}").is(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type": "cron", "expression": "0 0 3 * * ?"} | ''
          {"type": "cron", "expression": "0 * * * * ?"} | 2026-03-10T12:01:00.000Z
          {"type": "rate", "every": "PT30S"}            | 2026-03-10T12:01:00.000Z
          {"type": "and", "triggers": [{"type": "cron", "expression": "0 * * * * ?"}, {"type": "event", "key": "x"}]} | ''
          """)
  void thePreviousFireIsOneThatCanMakeAJobOfThisGeneration(String trigger, String previous) {
    caller.put(
        "a",
        """
        {"trigger": %s, "state": "ACTIVE",
         "target": {"queue": "work", "template": "before: ${previousScheduledFor}"}}
        """
            .formatted(trigger));
    world.runFor(Duration.ofSeconds(70));
    world.arrivals.clear();
    caller.act("a", "launch", "{}").is(202);
    world.runFor(Duration.ofSeconds(1));

    assertThat(world.bodies()).containsExactly("before: " + (previous == null ? "" : previous));
  }

  @Test
  void theFirstFireHasNoPreviousOneAndTheSecondHasTheFirst() {
    caller.put(
        "a",
        """
        {"trigger": %s, "state": "ACTIVE",
         "target": {"queue": "work", "template": "before: ${previousScheduledFor}"}}
        """
            .formatted(Docs.MINUTELY));
    world.runFor(Duration.ofSeconds(130));

    assertThat(world.bodies()).containsExactly("before: ", "before: 2026-03-10T12:01:00.000Z");
  }
}
