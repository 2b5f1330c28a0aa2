package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine commandLine =
      Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void withoutABenchmarkItPrintsItsUsage() {
    assertThat(commandLine.execute()).isZero();
    assertThat(out.toString())
        .startsWith("Usage: carillon bench")
        .contains(
            "cost",
            "scale",
            "latency",
            "burst",
            "events",
            "faults",
            "neighbours",
            "workers",
            "pools",
            "crash",
            "cold-start",
            "cli");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cost",
        "scale",
        "latency",
        "burst",
        "events",
        "faults",
        "neighbours",
        "workers",
        "pools",
        "crash",
        "cold-start",
        "cli"
      })
  void everyBenchmarkPrintsItsOptions(String benchmark) {
    assertThat(commandLine.execute(benchmark, "--help")).isZero();
    assertThat(out.toString()).contains("--json");
  }

  @Test
  void anUnknownBenchmarkIsRefusedByName() {
    assertThat(commandLine.execute("speed")).isEqualTo(64);
    assertThat(err.toString()).contains("there is no command 'speed'; give one of cost, scale,");
  }

  @Test
  void aFileOfArgumentsIsNotRead(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("words"), "--help");
    assertThat(commandLine.execute("@" + file)).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cost --schedules 0",
        "scale --stored 10",
        "latency --rate 0",
        "latency --seconds 0",
        "burst --due 0",
        "burst --rounds 0",
        "events --events 0",
        "events --schedules 0",
        "events --batch 0",
        "events --concurrency 0",
        "faults --episodes 0",
        "neighbours --runs 0",
        "workers --jobs 0",
        "pools --jobs 0",
        "pools --threads 0",
        "pools --jobs 100 --depths 1000",
        "pools --claims-per-second -1",
        "crash --runs 0",
        "crash --workers --jobs 0",
        "cold-start --rounds 0",
        "cli --rounds 0"
      })
  void aNumberThatIsTooSmallIsRefused(String words) {
    assertThat(commandLine.execute(words.split(" "))).isEqualTo(1);
    assertThat(err.toString()).startsWith("carillon: --").contains("at least").hasLineCount(1);
  }
}
