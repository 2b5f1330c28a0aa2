package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
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
    assertThat(err.toString()).contains("speed");
  }
}
