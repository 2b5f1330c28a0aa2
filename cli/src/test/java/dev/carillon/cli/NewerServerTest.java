package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose answers have states that this version does not know: LATER. */
@Timeout(60)
class NewerServerTest {

  private static final String JOB =
      """
      {"jobId": "j1", "namespace": "default", "schedule": "a", "generation": 1, "state": "%s",
       "version": 1, "operations": [{"id": "load", "state": "LATER"}],
       "transitions": [{"at": "2026-03-10T12:00:00Z", "state": "%<s"}]}
      """;

  private static final String SCHEDULE =
      """
      {"namespace": "default", "name": "a", "generation": 1, "etag": "1", "state": "LATER",
       "suspended": {"mode": "later", "by": "ann", "at": "2026-03-10T12:00:00Z"}, "schedule": {}}
      """;

  private static final String BACKFILL =
      """
      {"backfillId": "b1", "namespace": "default", "schedule": "a", "generation": 1,
       "state": "%s", "from": "2026-03-01T00:00:00Z", "to": "2026-03-10T00:00:00Z",
       "concurrency": 1, "fires": 9, "launched": 9, "unfinished": 0,
       "ended": {"LAUNCHED": 8, "LATER": 1}}
      """;

  private Stub stub;

  @BeforeEach
  void start() throws IOException {
    stub = new Stub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private Result run(String line) {
    Result result = Call.to(stub.uri()).run(line);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "json", "yaml"})
  void aJobIsShownWithTheServersStates(String format) {
    stub.answers(200, JOB.formatted("LATER"));
    assertThat(run("jobs show j1 -o " + format).out().split("LATER", -1)).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "json"})
  void aScheduleIsShownWithTheServersStateAndMode(String format) {
    stub.answers(200, SCHEDULE).answers(200, "{\"schedules\": [" + SCHEDULE + "]}");
    assertThat(run("schedules show a -o " + format).out()).contains("LATER", "later");
    assertThat(run("schedules list -o " + format).out()).contains("LATER");
  }

  @ParameterizedTest
  @ValueSource(strings = {"table", "json"})
  void theJobsOfTheStatusAreCountedByTheServersStates(String format) {
    stub.answers(
        200,
        "{\"oldestDueAgeSeconds\": 0, \"jobs\": {\"RUNNING\": 1, \"LATER\": 3}, \"queues\": {},"
            + " \"troubles\": []}");
    assertThat(run("status -o " + format).out()).containsPattern("RUNNING\\W+1\\W+LATER\\W+3");
  }

  @Test
  void aCancelledJobIsPrintedWithTheServersState() {
    stub.answers(200, "{\"jobId\": \"j1\", \"state\": \"LATER\"}");
    assertThat(run("jobs cancel j1 -o json").out()).contains("\"state\" : \"LATER\"");
  }

  @Test
  void aJobInAnUnknownStateHasNotEnded() {
    stub.answers(200, JOB.formatted("LATER")).answers(200, JOB.formatted("SUCCEEDED"));
    assertThat(run("jobs watch j1").err()).isEqualTo("j1 is SUCCEEDED\n");
  }

  @Test
  void aBackfillInAnUnknownStateHasNotEnded() {
    stub.answers(202, BACKFILL.formatted("LATER")).answers(200, BACKFILL.formatted("COMPLETED"));
    assertThat(run("schedules backfill a --from 2026-03-01 --to 2026-03-10 --wait").out())
        .contains("COMPLETED")
        .containsPattern("Ended +LAUNCHED 8, LATER 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobs list --state",
        "jobs cancel --link l --state",
        "programs jobs p --state",
        "schedules list --state",
        "schedules suspend a --mode"
      })
  void noOptionOffersOrSendsAnUnrecognizedValue(String option) {
    Call call = Call.to(stub.uri());
    Result wrong = call.run(option + " moon");
    assertThat(wrong.code()).isEqualTo(64);
    assertThat(wrong.err()).contains("give one of ").doesNotContain("UNRECOGNIZED");
    assertThat(call.run(option + " UNRECOGNIZED"))
        .isEqualTo(
            new Result(
                1,
                "",
                "carillon: %s: UNRECOGNIZED stands for a value that only a newer server knows; give another value\n"
                    .formatted(option.substring(option.lastIndexOf('-') - 1))));
    assertThat(stub.requests).isEmpty();
  }
}
