package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A command that waits goes on waiting while the API gives no answer, but not for ever. */
@Timeout(60)
class WaitTest {

  private static final String BACKFILL =
      """
      {"backfillId": "b1", "namespace": "default", "schedule": "a", "generation": 1,
       "state": "%s", "reason": null, "from": "2026-03-01T00:00:00Z",
       "to": "2026-03-10T00:00:00Z", "concurrency": 1, "fires": 9, "launched": 9,
       "unfinished": 0, "ended": {"LAUNCHED": 9}, "next": null,
       "askedAt": "2026-03-10T12:00:00Z", "askedBy": "ann", "endedAt": null}
      """;

  private static final String JOB =
      """
      {"jobId": "j1", "namespace": "default", "schedule": "a", "program": null, "customer": null,
       "priority": 5, "generation": 1, "state": "%s", "attempt": 1, "version": 1,
       "transitions": []}
      """;

  private static final String RANGE = "schedules backfill a --from 2026-03-01 --to 2026-03-10";

  private static final String BUSY = "{\"detail\": \"busy\"}";

  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = Instant.parse("2026-03-10T12:00:00Z");
  private Stub stub;

  /** A terminal whose pauses take no time, except on the clock of the test. */
  private final class Waiting extends FakeTerminal {

    Waiting() {
      super(false, 0);
    }

    @Override
    public void pause(Duration length) {
      pauses.add(length);
      now = now.plus(length);
    }
  }

  @BeforeEach
  void start() throws IOException {
    stub = new Stub();
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private Result run(String line) {
    InstantSource source = () -> now;
    Clock clock = source.withZone(ZoneOffset.UTC);
    return Call.to(stub.uri()).at(clock).on(new Waiting()).run(line);
  }

  @Test
  void aBackfillIsAwaitedOverFailedPolls() {
    stub.answers(202, BACKFILL.formatted("RUNNING"))
        .answers(503, BUSY)
        .answers(Stub.NO_ANSWER, "")
        .answers(429, BUSY)
        .answers(200, BACKFILL.formatted("COMPLETED"));
    Result result = run(RANGE + " --wait");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).isEqualTo("backfill b1 of default/a has begun\n");
    assertThat(result.out()).contains("COMPLETED");
    assertThat(pauses).hasSizeBetween(3, 4).containsOnly(Duration.ofSeconds(1));
  }

  @Test
  void aBackfillWithoutAnAnswerIsNamedAndLeft() {
    stub.answers(202, BACKFILL.formatted("RUNNING")).answers(503, BUSY);
    Result result = run(RANGE + " --wait");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "backfill b1 of default/a has begun",
            "carillon: no answer about backfill b1 of default/a for 120 s: 503 busy",
            "  it goes on; 'carillon backfills show a b1 -n default' shows it; the same"
                + " command again would begin another backfill");
    assertThat(pauses).hasSizeBetween(120, 121);
  }

  @Test
  void anAnswerBeginsTheTimeAgain() {
    stub.answers(200, JOB.formatted("CLAIMED"));
    for (int i = 0; i < 100; i++) {
      stub.answers(503, BUSY);
    }
    stub.answers(200, JOB.formatted("CLAIMED"));
    for (int i = 0; i < 100; i++) {
      stub.answers(503, BUSY);
    }
    stub.answers(200, JOB.formatted("SUCCEEDED"));

    assertThat(run("jobs watch j1")).isEqualTo(new Result(0, "", "j1 is SUCCEEDED\n"));
  }

  @Test
  void aJobWithoutAnAnswerIsNamedAndLeft() {
    stub.answers(200, JOB.formatted("CLAIMED")).answers(503, BUSY);
    Result result = run("jobs watch j1");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "carillon: no answer about job j1 for 120 s: 503 busy",
            "  'carillon jobs watch j1' watches it again");
  }

  @Test
  void aRefusalEndsTheWait() {
    stub.answers(200, JOB.formatted("CLAIMED")).answers(404, "{\"detail\": \"no such job\"}");
    Result result = run("jobs watch j1");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("no such job");
    assertThat(stub.requests).hasSize(2);
  }
}
