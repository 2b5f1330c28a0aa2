package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Explanations of jobs that wait for limits. */
class ExplainGatesTest {

  private static final String MANUAL = "{\"type\": \"manual\"}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private void put(String name, String constraints, String more) {
    caller
        .put(
            name,
            Docs.of(
                MANUAL, ", \"program\": \"etl\", \"constraints\": [" + constraints + "]" + more))
        .is(201);
  }

  private JsonNode launched(String name) {
    JsonNode answer = caller.act(name, "launch", "{}").is(202).json();
    world.runFor(Duration.ofSeconds(1));
    return answer;
  }

  private JsonNode explained(JsonNode launch) {
    return caller
        .get("/v1/namespaces/default/jobs/" + launch.path("jobId").asText() + "/explain")
        .is(200)
        .json();
  }

  private JsonNode gate(JsonNode explanation, String name) {
    for (JsonNode gate : explanation.path("gates")) {
      if (gate.path("gate").asText().equals(name)) {
        return gate;
      }
    }
    throw new AssertionError(name + " is not in " + explanation);
  }

  @Test
  void aJobThatWaitsForASlotNamesItsHoldersAndTheJobsAheadOfIt() {
    put("a", "{\"type\": \"concurrency\", \"max\": 1}", "");
    put("b", "{\"type\": \"concurrency\", \"max\": 1}", ", \"priority\": 1");
    JsonNode holder = launched("a");
    assertThat(holder.path("heldBy")).isEmpty();
    JsonNode second = launched("a");
    JsonNode third = launched("a");
    JsonNode urgent = launched("b");
    assertThat(second.path("heldBy").valueStream().map(JsonNode::asText))
        .containsExactly("program etl is at its limit of unfinished jobs: 1 of at most 1");
    assertThat(third.path("heldBy").valueStream().map(JsonNode::asText))
        .containsExactly(
            "program etl is at its limit of unfinished jobs: 1 of at most 1",
            "other jobs wait at program etl");

    JsonNode explanation = explained(second);
    assertThat(explanation.path("summary").asText())
        .isEqualTo("it waits until it can pass program etl");
    assertThat(explanation.path("unmetConstraints"))
        .isEqualTo(
            Caller.json(
                """
                [{"type": "concurrency", "opensAt": null,
                  "reason": "program etl is at its limit of unfinished jobs: 1 of at most 1"}]
                """));
    JsonNode gate = gate(explanation, "program etl");
    assertThat(gate.at("/holders/0/jobId")).isEqualTo(holder.path("jobId"));
    assertThat(gate.at("/holders/0/since").asText()).isEqualTo("2026-03-10T12:00:00.000Z");
    assertThat(gate.at("/holders/0/until").asText()).isEqualTo("2026-03-11T12:00:00.000Z");
    assertThat(gate.path("waiting").asInt()).isEqualTo(3);
    assertThat(gate.path("place").asInt()).isEqualTo(2);
    assertThat(gate(explained(urgent), "program etl").path("place").asInt()).isEqualTo(1);
    assertThat(gate(explained(third), "program etl").path("place").asInt()).isEqualTo(3);

    JsonNode running = explained(holder);
    assertThat(running.path("unmetConstraints")).isEmpty();
    assertThat(gate(running, "program etl").path("place").isNull()).isTrue();
    assertThat(running.path("summary").asText()).contains("it holds its slots");
  }

  @Test
  void aTrackedHolderShowsWhenItsNextReportIsDue() {
    put(
        "a",
        "{\"type\": \"concurrency\", \"max\": 1}",
        ", \"tracking\": {\"enqueueTimeout\": \"PT10M\"}");
    launched("a");
    JsonNode gate = gate(explained(launched("a")), "program etl");
    assertThat(gate.at("/holders/0/until").asText()).isEqualTo("2026-03-10T12:10:00.000Z");
  }

  @Test
  void aJobUnderARateNamesTheInstantOfItsLaunch() {
    put("a", "{\"type\": \"rate\", \"max\": 1, \"per\": \"PT1H\"}", "");
    launched("a");
    JsonNode second = launched("a");
    JsonNode explanation = explained(second);
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T13:00:00.000Z");
    assertThat(explanation.at("/unmetConstraints/0/opensAt").asText())
        .isEqualTo("2026-03-10T13:00:00.000Z");
  }

  @Test
  void aJobAtALimitIsCheckedAtItsTimeOutIfThatComesFirst() {
    put(
        "a",
        "{\"type\": \"concurrency\", \"max\": 1}",
        ", \"timeout\": {\"after\": \"PT1H\", \"action\": \"discard\"}");
    launched("a");
    JsonNode explanation = explained(launched("a"));
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T13:00:01.000Z");
    assertThat(explanation.at("/timesOut/at")).isEqualTo(explanation.path("nextCheckAt"));
  }

  @Test
  void aJobUnderAGaugeNamesItsValueAndTheRequiredOne() {
    world.report("disk", 3, "PT1H");
    put("a", "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}", "");
    JsonNode launch = launched("a");
    assertThat(launch.at("/heldBy/0").asText())
        .isEqualTo("resource disk is 3; at least 10 is required");
    JsonNode gate = gate(explained(launch), "resource disk");
    assertThat(gate.path("value").asInt()).isEqualTo(3);
    assertThat(gate.path("expiresAt").asText()).isEqualTo("2026-03-10T13:00:00.000Z");
    assertThat(gate.path("place").asInt()).isEqualTo(1);
    world.runFor(Duration.ofHours(1));
    assertThat(explained(launch).at("/unmetConstraints/0/reason").asText())
        .isEqualTo("resource disk is unknown");
  }

  @Test
  void aClosedWindowNamesItsOpeningTogetherWithAllOtherUnmetConstraints() {
    put(
        "a",
        "{\"type\": \"timeWindow\", \"from\": \"22:00\", \"to\": \"06:00\"},"
            + " {\"type\": \"delay\", \"duration\": \"PT3H\"},"
            + " {\"type\": \"resource\", \"name\": \"disk\", \"atMost\": 10}",
        "");
    JsonNode explanation = explained(launched("a"));
    assertThat(explanation.path("unmetConstraints").findValuesAsText("type"))
        .containsExactly("timeWindow", "delay", "resource");
    assertThat(explanation.path("unmetConstraints").findValuesAsText("opensAt"))
        .containsExactly("2026-03-10T22:00:00.000Z", "2026-03-10T15:00:00.000Z", "null");
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T22:00:00.000Z");
    assertThat(gate(explanation, "resource disk").path("place").isNull()).isTrue();
  }

  @Test
  void aScheduleShowsTheStateOfItsLimits() {
    put("a", "{\"type\": \"concurrency\", \"max\": 2, \"group\": \"db\"}", "");
    launched("a");
    JsonNode limit = explainedSchedule("a").path("limits").get(0);
    assertThat(limit.path("gate").asText()).isEqualTo("group db");
    assertThat(limit.path("now").asInt()).isEqualTo(1);
    assertThat(limit.path("bound").asInt()).isEqualTo(2);
    assertThat(limit.path("open").asBoolean()).isTrue();
    caller.put("plain", Docs.of(DAILY));
    assertThat(explainedSchedule("plain").path("limits")).isEmpty();
  }

  private JsonNode explainedSchedule(String name) {
    return caller.get(Caller.SCHEDULES + "/" + name + "/explain").is(200).json();
  }

  @Test
  void aLaunchThatIgnoresConstraintsDoesNotWait() {
    put("a", "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}", "");
    JsonNode answer = caller.act("a", "launch", "{\"ignoreConstraints\": true}").is(202).json();
    assertThat(answer.path("heldBy")).isEmpty();
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
  }

  /** More jobs wait than one page holds. */
  @Test
  void thePlaceOfAJobBeyondTheFirstPageIsCounted() {
    put("a", "{\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}", "");
    JsonNode last = null;
    for (int i = 0; i < 620; i++) {
      world.runFor(Duration.ofMillis(1));
      last = caller.act("a", "launch", "{}").is(202).json();
    }
    world.runFor(Duration.ofSeconds(2));
    assertThat(gate(explained(last), "resource disk").path("place").asInt()).isEqualTo(620);
  }
}
