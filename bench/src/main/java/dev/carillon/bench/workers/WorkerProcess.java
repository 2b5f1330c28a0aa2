package dev.carillon.bench.workers;

import dev.carillon.bench.harness.CannotRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A separate JVM that runs {@link Drain}. */
final class WorkerProcess implements AutoCloseable {

  private final Process process;
  private final PrintWriter orders;
  private final BufferedReader answers;

  private WorkerProcess(Process process) {
    this.process = process;
    this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static WorkerProcess start(URI http, URI sqs, int threads) {
    try {
      return new WorkerProcess(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Drain.class.getName(),
                  http.toString(),
                  sqs.toString(),
                  Integer.toString(threads))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException fault) {
      throw new CannotRun("no worker can be started: " + fault, fault);
    }
  }

  /**
   * Works on a queue until the given number of jobs has succeeded.
   *
   * @param failing how many attempts of each job fail before one succeeds
   * @return the nanoseconds from the first claim to the last answered report
   */
  long drain(String queue, int jobs, int failing) {
    orders.println(queue + " " + jobs + " " + failing);
    try {
      String answer = answers.readLine();
      if (answer == null) {
        throw new CannotRun("the worker's process has ended");
      }
      return Long.parseLong(answer);
    } catch (IOException fault) {
      throw new CannotRun("no answer from the worker's process: " + fault, fault);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
