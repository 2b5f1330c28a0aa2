package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reported number of jobs that a change cancels. */
class CancelledJobsTest {

  private static final String DELAYED =
      ", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT1H\"}]";
  private static final String NOTHING = "{\"waiting\":0,\"collecting\":0,\"mayBeMore\":false}";
  private static final String TWO_AND_ONE = "{\"waiting\":2,\"collecting\":1,\"mayBeMore\":false}";

  private final Caller caller = new Caller();

  /** Two jobs wait for their delay, and a third has counted one of two partitions. */
  private void twoJobsWaitAndOneCollects(String more) {
    caller
        .put("a", Docs.of(Docs.partition("d", 2), DELAYED + ", \"state\": \"ACTIVE\"" + more))
        .is(201);
    for (int partitions = 0; partitions < 5; partitions++) {
      caller.world.partitions("d", 1);
    }
    caller.world.runFor(Duration.ofSeconds(5));
    assertThat(caller.get(Caller.SCHEDULES + "/a/jobs").json().path("jobs")).hasSize(3);
  }

  private void areCancelled() {
    caller.world.runFor(Duration.ofMinutes(3));
    JsonNode jobs = caller.get(Caller.SCHEDULES + "/a/jobs").json().path("jobs");
    assertThat(jobs.findValuesAsText("jobId")).hasSize(3);
    assertThat(jobs.valueStream().map(job -> job.path("state").asText())).containsOnly("CANCELLED");
    assertThat(caller.world.arrivals).isEmpty();
  }

  private static String cancelled(Caller.Reply reply) {
    return reply.json().path("cancelled").toString();
  }

  @Test
  void aReplacementReportsHowManyJobsItCancels() {
    twoJobsWaitAndOneCollects("");
    assertThat(cancelled(caller.put("a", Docs.active(DAILY)).is(200))).isEqualTo(TWO_AND_ONE);
    areCancelled();
  }

  @Test
  void aDiscardingSuspensionReportsHowManyJobsItCancels() {
    twoJobsWaitAndOneCollects("");
    assertThat(cancelled(caller.act("a", "suspend", "{}").is(200))).isEqualTo(TWO_AND_ONE);
    areCancelled();
    assertThat(cancelled(caller.act("a", "suspend", "{}").is(200))).isEqualTo(NOTHING);
  }

  @Test
  void aSuspensionThatKeepsJobsCancelsNone() {
    twoJobsWaitAndOneCollects("");
    assertThat(cancelled(caller.act("a", "suspend", "{\"mode\": \"drain\"}").is(200)))
        .isEqualTo(NOTHING);
  }

  @Test
  void aDeletionReportsInAHeaderHowManyJobsItCancels() {
    twoJobsWaitAndOneCollects("");
    assertThat(caller.delete("a").is(204).headers())
        .containsEntry("Carillon-Cancelled", "waiting=2, collecting=1");
    areCancelled();
  }

  @Test
  void aDeploymentAndTheDeletionOfAnAppReportHowManyJobsTheyCancel() {
    twoJobsWaitAndOneCollects(", \"app\": \"exports\"");
    String app = "/v1/namespaces/default/apps/exports";
    assertThat(
            cancelled(
                caller.send("PUT", app, "{\"programs\": [], \"schedules\": {}}", Map.of()).is(201)))
        .isEqualTo(TWO_AND_ONE);
    assertThat(caller.send("DELETE", app, null, Map.of()).is(204).headers())
        .containsEntry("Carillon-Cancelled", "waiting=0, collecting=0");
  }

  @Test
  void theDeletionOfAProgramReportsHowManyJobsItCancels() {
    twoJobsWaitAndOneCollects(", \"program\": \"etl\"");
    assertThat(
            cancelled(
                caller
                    .send("DELETE", "/v1/namespaces/default/programs/etl", null, Map.of())
                    .is(200)))
        .isEqualTo(TWO_AND_ONE);
  }

  @Test
  void aChangeThatCancelsNothingReportsIt() {
    assertThat(cancelled(caller.put("a", Docs.active(DAILY)).is(201))).isEqualTo(NOTHING);
    assertThat(cancelled(caller.put("a", Docs.active(DAILY)).is(200))).isEqualTo(NOTHING);
    assertThat(cancelled(caller.put("a", Docs.of(DAILY, ", \"description\": \"b\"")).is(200)))
        .isEqualTo(NOTHING);
    assertThat(caller.act("a", "resume", "{}").is(200).json().has("cancelled")).isFalse();
    assertThat(caller.schedule("a").json().has("cancelled")).isFalse();
  }

  @Test
  void aJobThatWaitsForItsRetryIsCancelledAtOnce() {
    String tracked =
        ", \"state\": \"ACTIVE\", \"tracking\": {}, \"retry\": {\"backoff\": \"PT12H\","
            + " \"maxBackoff\": \"PT12H\"}";
    caller.put("a", Docs.of("{\"type\": \"manual\"}", tracked)).is(201);
    String job = caller.act("a", "launch", "{}").is(202).json().path("jobId").asText();
    caller.world.runFor(Duration.ofSeconds(2));
    String run = "/v1/namespaces/default/jobs/" + job;
    String token =
        caller
            .send("POST", run + "/claim", "{\"worker\": \"w\"}", Map.of())
            .is(200)
            .json()
            .path("claimToken")
            .asText();
    caller.send("POST", run + "/fail", "{\"claimToken\": \"" + token + "\"}", Map.of()).is(200);
    assertThat(caller.delete("a").is(204).headers())
        .containsEntry("Carillon-Cancelled", "waiting=1, collecting=0");
    caller.world.runFor(Duration.ofMinutes(1));
    assertThat(caller.get(run).is(200).json().path("state").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void jobsHeldWithoutConstraintsAreReportedAsPossiblyMore() {
    caller.put("a", Docs.active(Docs.MINUTELY));
    caller.act("a", "suspend", "{\"mode\": \"backlog\"}").is(200);
    caller.world.runFor(Duration.ofMinutes(3));
    assertThat(cancelled(caller.act("a", "suspend", "{\"mode\": \"discard\"}").is(200)))
        .isEqualTo("{\"waiting\":0,\"collecting\":0,\"mayBeMore\":true}");
  }

  @Test
  void jobsOfAnUnreadableDefinitionAreReportedAsPossiblyMore() {
    twoJobsWaitAndOneCollects("");
    caller.onHistory =
        () -> {
          throw new IllegalStateException("the store does not answer");
        };
    assertThat(cancelled(caller.act("a", "suspend", "{}").is(200)))
        .isEqualTo("{\"waiting\":0,\"collecting\":1,\"mayBeMore\":true}");
  }
}
