package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A process that runs {@link ScriptedWorkers} on the queues of teams. It ends with this JVM. */
final class WorkerHost implements AutoCloseable {

  /** The beginning of what workers say, beside logs. */
  static final String SAID = "> ";

  private static WorkerHost shared;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Process process;
  private final PrintWriter orders;

  private WorkerHost(Process process) {
    this.process = process;
    this.orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::listen, "worker-host");
    reader.setDaemon(true);
    reader.start();
  }

  static WorkerHost start() {
    try {
      return new WorkerHost(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ScriptedWorkers.class.getName(),
                  Team.engine().http().toString(),
                  Team.engine().sqs().toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** The process for all tests that need none of their own. */
  static synchronized WorkerHost shared() {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private void listen() {
    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .lines()
        .filter(line -> line.startsWith(SAID))
        .map(line -> line.substring(SAID.length()))
        .forEach(said::add);
  }

  /** Starts a worker on a queue. */
  void work(String queue, int threads) {
    orders.println("work " + queue + " " + threads);
  }

  /** Lets all attempts of a queue that wait go on. */
  void release(String queue) {
    orders.println("release " + queue);
  }

  /** The rest of each line with this beginning, in order. */
  List<String> said(String what, String about) {
    String beginning = what + " " + about;
    return said.stream()
        .filter(line -> line.equals(beginning) || line.startsWith(beginning + " "))
        .map(line -> line.substring(beginning.length()).strip())
        .toList();
  }

  /** Waits until a line says so. */
  void awaitSaid(String what, String about, String more) throws InterruptedException {
    await(() -> said(what, about).contains(more));
  }

  /** Stops the process as it is, as a long pause of its machine would. */
  void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
