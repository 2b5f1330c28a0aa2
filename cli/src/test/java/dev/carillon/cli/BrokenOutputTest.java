package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.FakeTerminal;
import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.io.Writer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output goes to a full disk, or to a pipe that its reader has closed. */
@Timeout(60)
class BrokenOutputTest {

  private static final String NOT_WHOLE =
      "carillon: the output could not be written whole; check the disk or the pipe that takes it\n";

  private static final String RUNNING =
      """
      {"jobId": "j1", "namespace": "default", "schedule": "a", "program": null, "customer": null,
       "priority": 5, "generation": 1, "state": "CLAIMED", "attempt": 1, "version": 1,
       "transitions": [{"at": "2026-03-10T12:00:00Z", "state": "RUNNING", "reason": null}]}
      """;

  private static final String STATUS =
      """
      {"lastProcessedTime": "2026-03-10T12:00:00Z", "oldestDueAgeSeconds": 0, "troubles": [],
       "jobs": {}, "queues": {}}
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

  /** A file on a full disk. */
  private static final class Full extends Writer {

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      throw new IOException("no space left on device");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private Result run(String line) {
    return Call.to(stub.uri()).into(new Full()).run(line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "--version", "schedules --help", "completion bash"})
  void textThatCouldNotBeWrittenIsAFault(String line) {
    assertThat(run(line)).isEqualTo(new Result(1, "", NOT_WHOLE));
  }

  @Test
  void anExportThatCouldNotBeWrittenHasNoClosingNote() {
    String schedule =
        """
        {"schedules": [{"namespace": "default", "name": "b", "generation": 1, "etag": "1",
         "state": "SUSPENDED", "createdAt": "2030-01-01T00:00:00.000Z", "createdBy": "ann",
         "updatedAt": "2030-01-01T00:00:00.000Z", "schedule": {"trigger": {"type": "manual"}}}],
         "calendars": [], "resources": [], "pools": [], "next": null}
        """;
    stub.answers(200, schedule);

    assertThat(run("export")).isEqualTo(new Result(1, "", NOT_WHOLE));
  }

  @Test
  void aJobIsNotWatchedIntoAClosedPipe() {
    stub.answers(200, RUNNING);
    Result watched = run("jobs watch j1");

    assertThat(watched.code()).isEqualTo(1);
    assertThat(watched.err()).endsWith(NOT_WHOLE);
    assertThat(stub.requests).hasSize(1);
  }

  @Test
  void aStatusIsNotWatchedIntoAClosedPipe() {
    stub.answers(200, STATUS);
    FakeTerminal screen = new FakeTerminal(false, 0);
    Result watched = Call.to(stub.uri()).on(screen).into(new Full()).run("status --watch");

    assertThat(watched).isEqualTo(new Result(1, "", NOT_WHOLE));
    assertThat(stub.requests).hasSizeLessThanOrEqualTo(2);
  }
}
