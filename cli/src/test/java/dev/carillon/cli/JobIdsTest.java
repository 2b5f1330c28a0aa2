package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that a command names by their ids, with recorded answers. */
class JobIdsTest {

  private static final String CANCELLED = "{\"jobId\": \"%s\", \"state\": \"CANCELLED\"}";
  private static final String ENDED = "{\"detail\": \"the job has ended already\"}";

  private static final String ABSENT = "{\"detail\": \"there is no job j3\"}";

  private Stub stub;

  @BeforeEach
  void start() throws IOException {
    stub = new Stub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jobs cancel j1 --dry-run",
        "jobs retry j1 j2 --state FAILED",
        "jobs retry j1 --dry-run"
      })
  void whatRestrictsManyJobsIsRefusedWithIdsBeforeACall(String line) {
    stub.answers(200, CANCELLED.formatted("j1"));
    Result result = Call.to(stub.uri()).run(line);

    assertThat(result.code()).isEqualTo(64);
    assertThat(result.err())
        .isEqualTo(
            "carillon: --dry-run and --state go with --schedule, --program or --link, not with"
                + " ids\n");
    assertThat(stub.requests).isEmpty();
  }

  @Test
  void theOtherJobsAreCancelledIfTheApiRefusesOne() {
    stub.answers(200, CANCELLED.formatted("j1"))
        .answers(409, ENDED)
        .answers(404, ABSENT)
        .answers(200, CANCELLED.formatted("j4"));
    Result result = Call.to(stub.uri()).run("jobs cancel j1 j2 j3 j4 -o name");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.lines()).containsExactly("j1", "j4");
    assertThat(result.err().lines())
        .containsExactly("j2: the job has ended already", "j3: there is no job j3");
    assertThat(stub.requests).hasSize(4);
  }

  @Test
  void whatWasChangedBeforeAFaultIsShown() {
    stub.answers(200, CANCELLED.formatted("j1")).answers(503, "{\"detail\": \"busy\"}");
    Result result = Call.to(stub.uri()).run("jobs cancel j1 j2 j3");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("j1", "CANCELLED").doesNotContain("j2");
    assertThat(result.err()).contains("busy");
  }
}
