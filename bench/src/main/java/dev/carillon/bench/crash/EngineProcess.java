package dev.carillon.bench.crash;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A separate JVM that runs {@code carillon local} and can be killed. */
final class EngineProcess {

  private static final String HTTP = "HTTP API";
  private static final String SQS = "SQS";

  /** The label of the last line that a ready engine prints. */
  private static final String LAST = "DynamoDB";

  private final Process process;
  private final Map<String, URI> addresses = new TreeMap<>();

  private EngineProcess(Process process) {
    this.process = process;
  }

  /** Starts an engine on disk. Its log is appended to the file. */
  static EngineProcess onDisk(Path data, File log) {
    return spawn(log, "--port=0", "--sqs-port=0", "--data=" + data);
  }

  /**
   * Starts an engine in memory, which takes less of the processor. Its log is appended to the file.
   */
  static EngineProcess inMemory(File log) {
    return spawn(log, "--port=0", "--sqs-port=0");
  }

  /** Starts an engine on the same data and ports after this engine was killed. */
  EngineProcess again(Path data, File log) {
    return spawn(
        log, "--port=" + http().getPort(), "--sqs-port=" + sqs().getPort(), "--data=" + data);
  }

  private static EngineProcess spawn(File log, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx320m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dcarillon.home=" + System.getProperty("carillon.home", ".."),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.carillon.command.Main",
                "local",
                "--dynamodb-port=0"));
    command.addAll(List.of(options));
    try {
      return new EngineProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)).start());
    } catch (IOException fault) {
      throw new IllegalStateException("no engine can be started", fault);
    }
  }

  /** Waits until the engine reports that it is ready, and returns the instant of the report. */
  Instant awaitReady() {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    try {
      while (!addresses.containsKey(LAST)) {
        String line = output.readLine();
        if (line == null) {
          throw new IllegalStateException("the engine ended before it was ready; see its log");
        }
        note(line.strip());
      }
    } catch (IOException fault) {
      throw new IllegalStateException("the engine did not print its addresses", fault);
    }
    return Instant.now();
  }

  private void note(String line) {
    int gap = line.indexOf("  ");
    if (gap > 0) {
      addresses.put(line.substring(0, gap), URI.create(line.substring(gap).strip()));
    }
  }

  /** The root of the HTTP API. */
  URI api() {
    return http().resolve("/");
  }

  URI http() {
    return Objects.requireNonNull(addresses.get(HTTP), HTTP);
  }

  URI sqs() {
    return Objects.requireNonNull(addresses.get(SQS), SQS);
  }

  /** Kills the process with SIGKILL; returns the instant of its death. */
  Instant kill() {
    process.destroyForcibly().onExit().join();
    return Instant.now();
  }
}
