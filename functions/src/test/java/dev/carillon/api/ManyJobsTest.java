package dev.carillon.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retry and cancellation of many jobs with one request. */
class ManyJobsTest {

  private static final String JOBS = "/v1/namespaces/default/jobs";
  private static final String MANUAL = "{\"type\": \"manual\"}";
  private static final String TRACKED =
      ", \"state\": \"ACTIVE\", \"tracking\": {}, \"program\": \"p\", \"properties\": {\"linkId\": \"l\"}";

  private final Caller caller = new Caller();

  @BeforeEach
  void store() {
    caller.put("a", Docs.of(MANUAL, TRACKED)).is(201);
  }

  private List<JobId> launched(String schedule, int count) {
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      JsonNode launched = caller.act(schedule, "launch", "{}").is(202).json();
      jobs.add(JobId.parse(launched.path("jobId").asText()));
    }
    caller.world.runFor(Duration.ofSeconds(2));
    return jobs;
  }

  private List<JobId> failed(String schedule, int count) {
    List<JobId> jobs = launched(schedule, count);
    jobs.forEach(this::fail);
    return jobs;
  }

  private void fail(JobId job) {
    JsonNode claim = report(job, "claim", "{\"worker\": \"w\"}");
    String token = claim.path("claimToken").asText();
    report(job, "fail", "{\"claimToken\": \"" + token + "\", \"retriable\": false}");
  }

  private JsonNode report(JobId job, String report, String body) {
    return caller.send("POST", JOBS + "/" + job + "/" + report, body, Map.of()).is(200).json();
  }

  private JsonNode order(String what, String body) {
    return caller.send("POST", JOBS + "/" + what, body, Map.of()).is(200).json();
  }

  private JobState state(JobId job) {
    return caller.world.job(job).state();
  }

  @Test
  void failedJobsOfAScheduleAreRetriedOnce() {
    List<JobId> jobs = failed("a", 3);
    JobId good = launched("a", 1).get(0);

    assertThat(order("retry", "{\"schedule\": \"a\", \"dryRun\": true}"))
        .hasToString("{\"matched\":3,\"retried\":0,\"refused\":[],\"next\":null}");
    assertThat(jobs).allMatch(job -> state(job) == JobState.FAILED);
    assertThat(order("retry", "{\"schedule\": \"a\"}"))
        .hasToString("{\"matched\":3,\"retried\":3,\"refused\":[],\"next\":null}");
    assertThat(jobs).allMatch(job -> state(job) == JobState.RETRY_WAIT);
    assertThat(order("retry", "{\"schedule\": \"a\"}").path("matched").asInt()).isZero();
    caller.world.runFor(Duration.ofSeconds(2));
    assertThat(jobs).allMatch(job -> caller.world.job(job).attempt() == 2);
    assertThat(state(good)).isEqualTo(JobState.ENQUEUED);
  }

  @Test
  void pagesGoThroughAllSchedulesOfAProgram() {
    caller.put("b", Docs.of(MANUAL, TRACKED)).is(201);
    caller.put("c", Docs.of(MANUAL, TRACKED.replace("\"p\"", "\"other\""))).is(201);
    List<JobId> jobs = failed("a", 3);
    jobs.addAll(failed("b", 4));
    List<JobId> others = failed("c", 1);
    int retried = 0;
    String query = "?limit=2";
    for (int request = 0; query != null; request++) {
      JsonNode answer = order("retry" + query, "{\"program\": \"p\"}");
      assertThat(answer.path("matched").asInt()).isLessThanOrEqualTo(2);
      retried += answer.path("retried").asInt();
      JsonNode next = answer.path("next");
      query = next.isNull() ? null : "?limit=2&next=" + next.asText();
      assertThat(request).isLessThan(10);
    }
    assertThat(retried).isEqualTo(7);
    assertThat(jobs).allMatch(job -> state(job) == JobState.RETRY_WAIT);
    assertThat(others).allMatch(job -> state(job) == JobState.FAILED);
  }

  @Test
  void allMembersOfASelectionMustMatch() {
    caller.put("b", Docs.of(MANUAL, TRACKED.replace("\"l\"", "\"m\""))).is(201);
    JobId early = failed("a", 1).get(0);
    Instant then = caller.world.job(early).scheduledFor();
    JobId late = failed("a", 1).get(0);
    failed("b", 1);
    Instant later = caller.world.job(late).scheduledFor();
    assertThat(matched("{\"linkId\": \"l\"}")).isEqualTo(2);
    assertThat(matched("{\"linkId\": \"l\", \"schedule\": \"b\"}")).isZero();
    assertThat(matched("{\"program\": \"p\"}")).isEqualTo(3);
    assertThat(matched("{\"linkId\": \"l\", \"state\": \"CANCELLED\"}")).isZero();
    assertThat(matched("{\"schedule\": \"a\", \"from\": \"" + later + "\"}")).isEqualTo(1);
    assertThat(matched("{\"schedule\": \"a\", \"to\": \"" + later + "\"}")).isEqualTo(1);
    String range = "{\"schedule\": \"a\", \"from\": \"%s\", \"to\": \"%s\"}";
    assertThat(matched(range.formatted(then, later.plusMillis(1)))).isEqualTo(2);
  }

  private int matched(String selection) {
    String body = selection.replace("}", ", \"dryRun\": true}");
    return order("retry", body).path("matched").asInt();
  }

  @Test
  void unfinishedJobsAreCancelledAsOneByOne() {
    String delay = ", \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT1H\"}]";
    caller.put("waits", Docs.of(MANUAL, TRACKED + delay)).is(201);
    String slot =
        ", \"state\": \"ACTIVE\", \"program\": \"p\", \"constraints\": [{\"type\": \"concurrency\", \"max\": 9}]";
    caller.put("untracked", Docs.of(MANUAL, slot)).is(201);
    List<JobId> waiting = launched("waits", 2);
    List<JobId> jobs = launched("a", 3);
    JobId sent = launched("untracked", 1).get(0);
    report(jobs.get(0), "claim", "{\"worker\": \"w\"}");

    assertThat(order("cancel", "{\"program\": \"p\", \"dryRun\": true}").path("matched").asInt())
        .isEqualTo(6);
    JsonNode answer = order("cancel", "{\"program\": \"p\"}");

    assertThat(answer.path("matched").asInt()).isEqualTo(6);
    assertThat(answer.path("cancelled").asInt()).isEqualTo(5);
    assertThat(answer.path("refused")).hasSize(1);
    assertThat(answer.at("/refused/0/jobId").asText()).isEqualTo(sent.toString());
    assertThat(answer.at("/refused/0/detail").asText())
        .isEqualTo(
            caller
                .send("POST", JOBS + "/" + sent + "/cancel", "{}", Map.of())
                .is(409)
                .json()
                .path("detail")
                .asText());
    assertThat(waiting).allMatch(job -> state(job) == JobState.CANCELLED);
    assertThat(state(jobs.get(1))).isEqualTo(JobState.CANCELLED);
    Job asked = caller.world.job(jobs.get(0));
    assertThat(asked.state()).isEqualTo(JobState.CLAIMED);
    assertThat(asked.run().isCancelRequested()).isTrue();
    assertThat(order("cancel", "{\"linkId\": \"l\"}").path("matched").asInt()).isZero();
  }

  @Test
  void whatIsNotRetriedIsNamedWithTheReason() {
    List<JobId> jobs = failed("a", 2);
    caller.put("a", Docs.of(MANUAL, TRACKED + ", \"priority\": 3")).is(200);
    JsonNode answer = order("retry", "{\"linkId\": \"l\"}");
    assertThat(answer.path("matched").asInt()).isEqualTo(2);
    assertThat(answer.path("retried").asInt()).isZero();
    assertThat(answer.path("refused").findValuesAsText("jobId"))
        .hasSameElementsAs(jobs.stream().map(JobId::toString).toList());
    assertThat(answer.at("/refused/0/detail").asText()).contains("its schedule was changed");
  }

  @Test
  void aRequestEndsInTimeAndGoesOnWithTheNext() {
    failed("a", 150);
    caller.perReading = Duration.ofMillis(200);
    JsonNode first = order("retry?limit=1000", "{\"schedule\": \"a\"}");
    assertThat(first.path("retried").asInt()).isEqualTo(100);
    JsonNode rest =
        order("retry?limit=1000&next=" + first.path("next").asText(), "{\"schedule\": \"a\"}");
    assertThat(rest.path("retried").asInt()).isEqualTo(50);
    assertThat(rest.path("next").isNull()).isTrue();
  }

  @Test
  void jobsOfADeletedScheduleAreSelectedAndAnUnknownScheduleIsNot() {
    failed("a", 1);
    caller.delete("a").is(204);
    assertThat(order("retry", "{\"schedule\": \"a\"}").path("refused")).hasSize(1);
    caller.send("POST", JOBS + "/retry", "{\"schedule\": \"never\"}", Map.of()).is(404);
  }

  @Test
  void badSelectionsAreRefused() {
    assertThat(refused("{}")).containsExactly("/schedule");
    assertThat(refused("{\"state\": \"FAILED\"}")).containsExactly("/schedule");
    assertThat(
            refused(
                "{\"schedule\": \"\", \"program\": \"x/y\", \"linkId\": 5, \"state\": \"RUNNING\","
                    + " \"from\": \"today\", \"dryRun\": 1, \"all\": true}"))
        .containsExactlyInAnyOrder(
            "/schedule", "/program", "/linkId", "/state", "/from", "/dryRun", "/all");
    assertThat(
            refused(
                "{\"schedule\": \"a\", \"from\": \"2026-01-01T00:00:00Z\", \"to\": \"2026-01-01T00:00:00Z\"}"))
        .containsExactly("/to");
    caller
        .send("POST", JOBS + "/cancel", "{\"schedule\": \"a\", \"state\": \"FAILED\"}", Map.of())
        .is(400);
    failed("a", 2);
    String next = order("retry?limit=1", "{\"schedule\": \"a\"}").path("next").asText();
    caller.send("POST", JOBS + "/retry?next=" + next, "{\"program\": \"p\"}", Map.of()).is(400);
  }

  private List<String> refused(String body) {
    return caller.send("POST", JOBS + "/retry", body, Map.of()).is(400).pointers();
  }

  @Test
  void jobsThatWaitInAPoolAreCancelled() {
    caller.send("PUT", "/v1/namespaces/default/pools/p", "{}", Map.of()).is(201);
    String pooled =
        "{\"trigger\": %s, \"pool\": \"p\", \"target\": {\"template\": {}}%s}"
            .formatted(MANUAL, ", \"state\": \"ACTIVE\", \"properties\": {\"linkId\": \"l\"}");
    caller.put("pooled", pooled).is(201);
    List<JobId> jobs = launched("pooled", 2);
    assertThat(jobs).allMatch(job -> state(job) == JobState.READY);
    assertThat(order("cancel", "{\"linkId\": \"l\", \"state\": \"READY\", \"dryRun\": true}"))
        .hasToString("{\"matched\":2,\"cancelled\":0,\"refused\":[],\"next\":null}");
    assertThat(order("cancel", "{\"linkId\": \"l\"}"))
        .hasToString("{\"matched\":2,\"cancelled\":2,\"refused\":[],\"next\":null}");
    assertThat(jobs).allMatch(job -> state(job) == JobState.CANCELLED);
  }
}
