package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import dev.carillon.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scenario, played by the API. */
@Timeout(600)
class SimulateTest {

  private static final String SCENARIO =
      """
      from: 2026-03-01T00:00:00Z
      to: 2026-03-02T00:00:00Z
      schedules:
        default/nightly:
          trigger: {type: cron, expression: "0 0 3 * * ?"}
          target: {queue: exports, template: {date: "${yesterdaysDate}", jobId: "${jobId}"}}
      """;

  @TempDir private Path folder;

  @Test
  void theJobsAreShownWithWhatTheySend() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("scenario.yaml"), SCENARIO);
    Call call = Call.to(Engine.shared().http());
    Result played = call.run("simulate " + file);
    assertThat(played.code()).as(played.err()).isZero();
    assertThat(played.lines().get(0))
        .matches("2026-03-01T03:00:00.000Z  default/nightly +LAUNCHED");
    assertThat(played.out()).contains("sent to ").contains("exports: ");
    assertThat(played.err()).isEqualTo("1 job\n");
    assertThat(call.run("simulate -o json " + file).out()).contains("\"jobs\" : [");
    assertThat(call.run("simulate -o name " + file).lines()).hasSize(1);
  }

  /** A checkout plays scenarios without an engine, by code of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"table", "wide", "json", "yaml", "name"})
  void aCheckoutPrintsTheSame(String format) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("scenario.yaml"), SCENARIO);
    StringWriter printed = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(printed))
            .execute("simulate", "-o", format, file.toString());
    assertThat(code).isZero();
    Result played = Call.to(Engine.shared().http()).run("simulate -o " + format + " " + file);
    assertThat(printed.toString()).isEqualTo(played.out()).isNotEmpty();
  }

  @Test
  void aFaultyScenarioIsRefused() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("scenario.yaml"), "from: 1\n");
    Result refused = Call.to(Engine.shared().http()).run("simulate " + file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("/to: ");
  }
}
