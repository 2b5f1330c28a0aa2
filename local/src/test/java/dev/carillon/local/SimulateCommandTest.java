package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.command.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulateCommandTest {

  private static final Path SCENARIOS = Path.of("../docs/scenarios");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  static List<Path> scenarios() throws IOException {
    try (Stream<Path> files = Files.list(SCENARIOS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void everyScenarioOfTheDocumentsIsPlayed(Path scenario) {
    assertThat(run("simulate", scenario.toString())).as(err.toString()).isZero();
    assertThat(out.toString()).contains("sent to ");
  }

  @Test
  void aScenarioIsPrintedAsATimeline() {
    assertThat(run("simulate", SCENARIOS.resolve("daylight-saving.json").toString())).isZero();
    assertThat(out.toString())
        .contains("2026-03-29T01:00:00.000Z", "default/etl", "FAILED")
        .contains("sent to carillon-target-etl: {\"date\":\"2026-03-28\"}")
        .endsWith("3 jobs" + System.lineSeparator());
  }

  @Test
  void aScenarioIsPrintedAsJson() {
    String file = SCENARIOS.resolve("daylight-saving.json").toString();
    assertThat(run("simulate", "--json", file)).isZero();
    assertThat(out.toString()).startsWith("{").contains("\"jobs\" : [");
  }

  @Test
  void everyFaultIsReported() throws IOException {
    Path file = directory.resolve("wrong.json");
    Files.writeString(file, "{\"to\": \"tomorrow\", \"steps\": {}}");
    assertThat(run("simulate", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("/from: ", "/to: ", "/steps: ");
  }

  @Test
  void aFileThatIsNoScenarioIsNamed() throws IOException {
    Path missing = directory.resolve("missing.json");
    assertThat(run("simulate", missing.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(missing + " cannot be read");
    Path text = directory.resolve("text.json");
    Files.writeString(text, "{\"from\": ");
    assertThat(run("simulate", text.toString())).isEqualTo(1);
    assertThat(err.toString()).contains(text + " is not JSON at line 1");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
