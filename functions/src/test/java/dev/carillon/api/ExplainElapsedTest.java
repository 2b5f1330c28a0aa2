package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Explanations of schedules that wait for a period to elapse. */
class ExplainElapsedTest {

  private static final String ELAPSED =
      "{\"type\": \"elapsed\", \"since\": \"lastLaunch\", \"duration\": \"PT4H\"}";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private JsonNode explained() {
    return caller.get("/v1/namespaces/default/schedules/a/explain").is(200).json();
  }

  private void launchAt(String instant) {
    world.runUntil(instant);
    caller.act("a", "launch", "{}").is(202);
  }

  @Test
  void aManualLaunchStartsThePeriodAgain() {
    caller.put("a", Docs.active(ELAPSED));
    assertThat(explained().path("elapses").asText()).isEqualTo("2026-03-10T16:00:00.000Z");
    launchAt("2026-03-10T13:00:00Z");
    assertThat(explained().path("elapses").asText()).isEqualTo("2026-03-10T17:00:00.000Z");
    launchAt("2026-03-10T14:00:00Z");
    assertThat(explained().path("elapses").asText()).isEqualTo("2026-03-10T18:00:00.000Z");
    world.runUntil("2026-03-10T18:00:01Z");
    assertThat(world.arrivals).hasSize(3);
    assertThat(explained().path("elapses").asText()).isEqualTo("2026-03-10T22:00:00.000Z");
  }

  @Test
  void aManualLaunchIsFoundBehindManySkippedJobs() {
    String skip =
        """
        , "state": "ACTIVE", "whilePending": "skip",
          "constraints": [{"type": "timeWindow", "from": "15:59", "to": "23:59"}]
        """;
    caller.put("a", Docs.of(Docs.or(ELAPSED, Docs.partition("d", 1)), skip));
    world.partitions("d", 1);
    launchAt("2026-03-10T13:00:00Z");
    for (int event = 0; event < 25; event++) {
      world.runUntil(Instant.parse("2026-03-10T13:01:00Z").plusSeconds(360L * event));
      world.partitions("d", 1);
    }
    world.runUntil("2026-03-10T15:58:00Z");
    assertThat(explained().path("elapses").asText()).isEqualTo("2026-03-10T17:00:00.000Z");
  }

  @Test
  void theSummaryNamesTheInstantAtWhichTimeSatisfiesTheTrigger() {
    caller.put("a", Docs.active(ELAPSED));
    assertThat(explained().path("summary").asText())
        .isEqualTo(
            "it is active; the next period of its trigger elapses at 2026-03-10T16:00:00.000Z");
    caller.put("a", Docs.active(Docs.or(ELAPSED, Docs.at("2026-03-10T15:00:00Z"))));
    assertThat(explained().path("summary").asText())
        .isEqualTo("it is active and fires next at 2026-03-10T15:00:00.000Z");
    caller.put("a", Docs.active(Docs.partition("d", 1)));
    assertThat(explained().path("summary").asText())
        .isEqualTo("it is active and waits for events or a manual launch");
  }

  @Test
  void aCollectingJobIsCheckedWhenThePeriodAfterAManualLaunchHasElapsed() {
    caller.put("a", Docs.active(Docs.and(Docs.partition("d", 1), ELAPSED)));
    world.partitions("d", 1);
    launchAt("2026-03-10T13:00:00Z");
    String job = explained().at("/collecting/jobId").asText();
    JsonNode explanation =
        caller.get("/v1/namespaces/default/jobs/" + job + "/explain").is(200).json();
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T17:00:00.000Z");
  }
}
