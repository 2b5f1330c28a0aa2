package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
          target: {queue: exports, template: {date: "${yesterdaysDate}"}}
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
    assertThat(played.err()).isEqualTo("1 jobs\n");
    assertThat(call.run("simulate -o json " + file).out()).contains("\"jobs\" : [");
    assertThat(call.run("simulate -o name " + file).lines()).hasSize(1);
  }

  @Test
  void aFaultyScenarioIsRefused() throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("scenario.yaml"), "from: 1\n");
    Result refused = Call.to(Engine.shared().http()).run("simulate " + file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("/to: ");
  }
}
