package dev.carillon.bench.cli;

import dev.carillon.bench.harness.CannotRun;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The time that one call of a command took.
 *
 * @param cpuMillis the processor time, user and system, without that of processes that the command
 *     leaves running
 */
record Took(double millis, double cpuMillis) {

  /**
   * Runs a command by the shell, because Java cannot measure the processor time of a process that
   * has ended, and because the start of a process from a large JVM takes longer.
   */
  private static final List<String> SHELL =
      List.of("bash", "-c", "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>/dev/null", "bash");

  private static final double MILLIS = 1_000;

  /** Runs a command to its end. */
  static Took by(List<String> command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(SHELL);
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(Redirect.DISCARD);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String[] seconds =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
            .strip()
            .split(" ", 3);
    int code = process.waitFor();
    if (code != 0) {
      throw new CannotRun(String.join(" ", command) + " ended with " + code);
    }
    double cpu = Double.parseDouble(seconds[1]) + Double.parseDouble(seconds[2]);
    return new Took(Double.parseDouble(seconds[0]) * MILLIS, cpu * MILLIS);
  }
}
