package dev.carillon.bench.cli;

import dev.carillon.bench.harness.CannotRun;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
   * has ended.
   */
  private static final List<String> SHELL =
      List.of("bash", "-c", "TIMEFORMAT='%3U %3S'; time \"$@\" >/dev/null 2>/dev/null", "bash");

  private static final double MILLIS = 1_000;

  /** Runs a command to its end. */
  static Took by(List<String> command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(SHELL);
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(Redirect.DISCARD);
    builder.environment().put("LC_ALL", "C");
    long start = System.nanoTime();
    Process process = builder.start();
    String seconds =
        new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    int code = process.waitFor();
    long took = System.nanoTime() - start;
    if (code != 0) {
      throw new CannotRun(String.join(" ", command) + " ended with " + code);
    }
    int space = seconds.indexOf(' ');
    double cpu =
        Double.parseDouble(seconds.substring(0, space))
            + Double.parseDouble(seconds.substring(space + 1));
    return new Took(took / (double) Duration.ofMillis(1).toNanos(), cpu * MILLIS);
  }
}
