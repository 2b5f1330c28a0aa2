package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pools with jobs in them, as recorded answers. */
class PoolsTest {

  private static final String CROWDED =
      """
      {"namespace": "default", "name": "encode", "etag": "7", "createdAt": "2026-03-10T12:00:00Z",
       "createdBy": "ann", "updatedAt": "2026-03-10T12:00:00Z", "updatedBy": "ann",
       "pool": {"queue": "encode", "depth": 20, "paused": false, "reason": null},
       "status": {"depth": 20, "visible": 19, "inFlight": null, "moved": 100, "claimed": 81,
        "nextChoiceAt": null, "oldestReadyAt": "2026-03-10T11:00:00.000Z", "waiting":
         {"jobs": 780, "isAtLeast": true, "customers": 2, "byCustomer":
          [{"customer": "acme", "jobs": 700}, {"customer": null, "jobs": 80}]},
        "servedSince": "2026-03-10T11:00:00.000Z", "servedOthers": 0, "servedLastHour":
         [{"customer": "acme", "jobs": 75, "share": 0.75},
          {"customer": "umbrella", "jobs": 25, "share": 0.25}]}}
      """;

  private Stub stub;

  @BeforeEach
  void answer() throws IOException {
    stub = new Stub().answers(200, CROWDED);
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void whatWaitsAndWhatWasChosenIsShownByCustomer() {
    assertThat(Call.to(stub.uri()).run("pools show encode").out())
        .containsPattern("In the queue +19 of 20\n")
        .doesNotContain("In flight")
        .containsPattern("Waiting +at least 780 jobs of 2 customers\n")
        .containsPattern("Oldest +2026-03-10 12:00:00")
        .containsPattern("By customer +700 acme\n +80 \\(no customer\\)\n")
        .containsPattern("Last hour +75 \\(75 %\\) acme\n +25 \\(25 %\\) umbrella\n");
  }

  @Test
  void aPoolThatIsChangedMeanwhileIsNotPaused() {
    stub.answers(412, "{\"title\": \"x\", \"detail\": \"y\", \"errors\": []}");
    Result result = Call.to(stub.uri()).run("pools pause encode");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            "carillon: the pool encode was changed by another caller at the same time; try again\n");
  }
}
