package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {

  private final Stub stub = new Stub();
  private final Runs runs = CarillonClient.local(stub.uri()).namespace("team").runs();

  @AfterEach
  void stop() {
    stub.close();
  }

  @Test
  void aClaimLastsAsLongAsTheServerSays() {
    stub.answers(
        200,
        """
        {"claimToken": "t", "attempt": 2, "expiresAt": "2026-01-01T00:01:00Z", "expiresIn": 59.25,
         "operations": [{"id": "load", "type": null, "state": "SUCCEEDED", "after": []},
          {"id": "check", "state": "LATER", "after": ["load"], "later": 1}], "later": 1}
        """);

    Claim claim = runs.claim("team~a~1", "w1", 2);

    assertThat(claim.claimToken()).isEqualTo("t");
    assertThat(claim.attempt()).isEqualTo(2);
    assertThat(claim.lifetime()).isEqualTo(Duration.ofMillis(59_250));
    assertThat(claim.operations())
        .containsExactly(
            new OperationProgress("load", null, "SUCCEEDED", List.of()),
            new OperationProgress("check", null, "LATER", List.of("load")));
    assertThat(claim.operations().get(0).state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(claim.operations().get(1).state()).isEqualTo(OperationState.UNRECOGNIZED);
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/team~a~1/claim");
    assertThat(json(stub.body())).isEqualTo(json("{\"worker\": \"w1\", \"attempt\": 2}"));
  }

  @Test
  void anAnswerWithoutItsDurationIsNoClaim() {
    stub.answers(
        200, "{\"claimToken\": \"t\", \"attempt\": 1, \"expiresAt\": \"2026-01-01T00:01:00Z\"}");
    assertThatThrownBy(() -> runs.claim("j", "w", 1))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @ParameterizedTest
  @CsvSource({
    "200, ''",
    "200, null",
    "302, ''",
    "301, '{\"claimToken\": \"t\", \"expiresIn\": 1}'"
  })
  void anAnswerWithoutAClaimIsNoClaim(int status, String body) {
    stub.answers(status, body);
    assertThatThrownBy(() -> runs.claim("j", "w", 1))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @Test
  void aRedirectionIsNoAcceptedReport() {
    stub.answers(307, "");
    assertThatThrownBy(() -> runs.succeed("j", "t", null))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @Test
  void anAnswerWithoutTheJobIsNoAcceptedReport() {
    stub.answers(200, "{}").answers(200, "");
    assertThatThrownBy(() -> runs.succeed("j", "t", null))
        .isInstanceOf(CarillonException.Unintelligible.class);
    assertThatThrownBy(() -> runs.fail("j", "t", null, true))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @Test
  void aPoolsNextJobsAreClaimed() {
    stub.answers(
        200,
        """
        {"jobs": [{"jobId": "j", "attempt": 2, "claimToken": "t", "expiresAt": "2026-01-01T00:01:00Z",
          "expiresIn": 59.25, "heartbeatTimeout": "PT1M", "operations": null, "body": "{}",
          "attributes": {"carillon-job-id": "j"}, "later": 1}], "later": 1}
        """);

    List<PulledJob> jobs = runs.next("encode", new Pull("w1", 3, 20, "r-1"));

    assertThat(jobs)
        .containsExactly(
            new PulledJob(
                "j",
                2,
                "t",
                Instant.parse("2026-01-01T00:01:00Z"),
                new BigDecimal("59.25"),
                List.of(),
                "{}",
                Map.of("carillon-job-id", "j")));
    assertThat(jobs.get(0).claim().lifetime()).isEqualTo(Duration.ofMillis(59_250));
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/pools/encode/next");
    assertThat(json(stub.body()))
        .isEqualTo(
            json(
                "{\"worker\": \"w1\", \"count\": 3, \"waitSeconds\": 20, \"requestId\": \"r-1\"}"));
  }

  @Test
  void anAnswerWithoutAListIsNotOfAPool() {
    stub.answers(200, "{}");
    assertThatThrownBy(() -> runs.next("encode", new Pull("w1", 1, 0, "r")))
        .isInstanceOf(CarillonException.Unintelligible.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {Runs.SUPERSEDED, Runs.NOT_YET, Runs.STALE_CLAIM})
  void aRefusalHasItsType(String type) {
    stub.answers(409, "{\"type\": \"%s\", \"detail\": \"no\"}".formatted(type)).answers(409, "");
    assertThat(conflict().problem().type()).isEqualTo(type);
    assertThat(conflict().problem().type()).isEqualTo("about:blank");
  }

  private CarillonException.Conflict conflict() {
    return catchThrowableOfType(
        CarillonException.Conflict.class, () -> runs.succeed("j", "t", null));
  }

  @Test
  void anOrderReturnsTheStateOfTheJob() {
    stub.answers(200, "{\"jobId\": \"j\", \"state\": \"RUNNING\"}")
        .answers(200, "{\"jobId\": \"j\", \"state\": \"RETRY_WAIT\"}");
    assertThat(runs.cancel("j").state()).isEqualTo(Job.State.RUNNING);
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/j/cancel");
    assertThat(runs.retry("j").state()).isEqualTo(Job.State.RETRY_WAIT);
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/j/retry");
  }

  @Test
  void manyJobsAreChangedPageByPage() {
    stub.answers(
            200,
            "{\"matched\": 3, \"retried\": 2, \"refused\": [{\"jobId\": \"j\", \"detail\": \"no\"}], \"next\": \"n1\"}")
        .answers(200, "{\"matched\": 1, \"retried\": 1, \"refused\": [], \"next\": null}")
        .answers(200, "{\"matched\": 5, \"cancelled\": 0, \"refused\": [], \"next\": null}");
    JobSelection failed =
        JobSelection.ofLink("order")
            .withState(Job.State.FAILED)
            .from(Instant.EPOCH)
            .to(Instant.EPOCH.plusSeconds(1));

    ChangedJobs retried = runs.retry(failed);

    assertThat(retried)
        .isEqualTo(new ChangedJobs(4, 3, List.of(new ChangedJobs.Refused("j", "no")), null));
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/retry");
    assertThat(stub.request.query()).isEqualTo("limit=1000&next=n1");
    assertThat(json(stub.body()))
        .isEqualTo(
            json(
                "{\"linkId\": \"order\", \"state\": \"FAILED\","
                    + " \"from\": \"1970-01-01T00:00:00Z\", \"to\": \"1970-01-01T00:00:01Z\"}"));
    assertThat(runs.cancel(JobSelection.ofProgram("p").dryRun()).matched()).isEqualTo(5);
    assertThat(stub.request.path()).isEqualTo("/v1/namespaces/team/jobs/cancel");
    assertThat(json(stub.body())).isEqualTo(json("{\"program\": \"p\", \"dryRun\": true}"));
  }

  @Test
  void aThrottledPageOfManyJobsIsRequestedAgain() {
    stub.answers(200, "{\"matched\": 2, \"cancelled\": 2, \"refused\": [], \"next\": \"n1\"}")
        .answers(429, "{\"message\": \"Too Many Requests\"}", Map.of("Retry-After", "0"))
        .answers(429, "{\"message\": \"Too Many Requests\"}", Map.of("Retry-After", "0"))
        .answers(200, "{\"matched\": 1, \"cancelled\": 1, \"refused\": [], \"next\": null}");

    ChangedJobs cancelled = runs.cancel(JobSelection.ofProgram("p"));

    assertThat(cancelled).isEqualTo(new ChangedJobs(3, 3, List.of(), null));
    assertThat(stub.request.query()).isEqualTo("limit=1000&next=n1");
  }

  @Test
  void aFailedPageOfManyJobsIsNotRequestedAgain() {
    stub.answers(503, "{}", Map.of("Retry-After", "0"));

    assertThatThrownBy(() -> runs.cancel(JobSelection.ofProgram("p")))
        .isInstanceOf(CarillonException.Unavailable.class);
  }

  @Test
  void aHeartbeatCarriesWhatChanged() {
    String renewal =
        "{\"expiresAt\": \"2026-01-01T00:01:00Z\", \"expiresIn\": 60, \"cancelled\": true}";
    stub.answers(200, renewal).answers(200, renewal);
    Duration longest = Duration.ofSeconds(5);

    Renewal renewed =
        runs.heartbeat(
            "j", "t", json("{\"rows\": 7}"), Map.of("load", OperationState.RUNNING), longest);

    assertThat(renewed.cancelled()).isTrue();
    assertThat(renewed.lifetime()).isEqualTo(Duration.ofMinutes(1));
    assertThat(json(stub.body()))
        .isEqualTo(
            json(
                """
                {"claimToken": "t", "progress": {"rows": 7}, "operations": {"load": "RUNNING"}}
                """));
    runs.heartbeat("j", "t", null, Map.of(), longest);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\"}"));
  }

  @Test
  void aHeartbeatWaitsOnlyAsLongAsItCan() {
    assertThatThrownBy(() -> runs.heartbeat("j", "t", null, Map.of(), Duration.ofNanos(1)))
        .isInstanceOf(CarillonException.Unreachable.class);
  }

  @Test
  void anEndSaysHow() {
    for (int end = 0; end < 4; end++) {
      stub.answers(200, "{\"jobId\": \"j\", \"state\": \"SUCCEEDED\"}");
    }

    runs.succeed("j", "t", json("{\"file\": \"f\"}"));
    assertThat(json(stub.body()))
        .isEqualTo(json("{\"claimToken\": \"t\", \"output\": {\"file\": \"f\"}}"));
    runs.succeed("j", "t", null);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\"}"));
    runs.fail("j", "t", "broken", false);
    assertThat(json(stub.body()))
        .isEqualTo(json("{\"claimToken\": \"t\", \"error\": \"broken\", \"retriable\": false}"));
    runs.fail("j", "t", null, true);
    assertThat(json(stub.body())).isEqualTo(json("{\"claimToken\": \"t\", \"retriable\": true}"));
  }

  private static JsonNode json(String text) {
    return Json.read(text, JsonNode.class);
  }
}
