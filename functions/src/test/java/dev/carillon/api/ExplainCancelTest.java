package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explanations of jobs that their next check cancels. */
class ExplainCancelTest {

  private static final String JOBS = "/v1/namespaces/default/jobs/";
  private static final String ONE_AT_A_TIME =
      ", \"state\": \"ACTIVE\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private String summary(String job) {
    return caller.get(JOBS + job + "/explain").is(200).json().path("summary").asText();
  }

  private String launched() {
    return caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
  }

  @Test
  void aWorkerThatWasAskedToStopAndIsSilentIsNamed() {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", ", \"state\": \"ACTIVE\", \"tracking\": {}"));
    String job = launched();
    world.runFor(Duration.ofSeconds(2));
    JsonNode claim =
        caller.post(JOBS + job + "/claim", "{\"worker\": \"w\", \"attempt\": 1}").is(200).json();
    String token = "{\"claimToken\": \"%s\"}".formatted(claim.path("claimToken").asText());
    caller.post(JOBS + job + "/heartbeat", token).is(200);
    caller.post(JOBS + job + "/cancel", "{}").is(200);
    world.sleepUntil("2026-03-10T13:00:00Z");
    assertThat(summary(job))
        .isEqualTo("worker w sent no heartbeat for PT1M; the job will be cancelled");
  }

  @Test
  void aCancelledBackfillIsNamed() {
    caller.put("a", Docs.of(Docs.DAILY, ONE_AT_A_TIME)).is(201);
    String range = "{\"from\": \"2025-01-01T03:00:00Z\", \"to\": \"2025-01-11T03:00:00Z\"}";
    String id = caller.act("a", "backfill", range).is(202).json().path("backfillId").asText();
    String holding = launched();
    world.runFor(Duration.ofSeconds(1));
    String path = Caller.SCHEDULES + "/a/backfills/" + id;
    caller.send("DELETE", path, null, Map.of()).is(204);
    String waiting =
        caller
            .get(Caller.SCHEDULES + "/a/jobs")
            .json()
            .path("jobs")
            .valueStream()
            .filter(job -> job.path("state").asText().equals("PENDING_CONSTRAINT"))
            .map(job -> job.path("jobId").asText())
            .filter(job -> !job.equals(holding))
            .findFirst()
            .orElseThrow();
    assertThat(summary(waiting)).isEqualTo("its backfill was cancelled; the job will be cancelled");
  }

  @ParameterizedTest
  @CsvSource({"suspend, the schedule was suspended", "delete, the schedule was deleted"})
  void theChangeOfTheScheduleIsNamed(String change, String reason) {
    caller.put("a", Docs.of("{\"type\": \"manual\"}", ONE_AT_A_TIME)).is(201);
    launched();
    String waiting = launched();
    world.runFor(Duration.ofSeconds(1));
    if (change.equals("delete")) {
      caller.delete("a").is(204);
    } else {
      caller.act("a", "suspend", "{\"mode\": \"discard\"}").is(200);
    }
    assertThat(summary(waiting)).isEqualTo(reason + "; the job will be cancelled");
  }
}
