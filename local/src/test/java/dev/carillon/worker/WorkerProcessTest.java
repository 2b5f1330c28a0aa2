package dev.carillon.worker;

import static dev.carillon.client.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.client.CarillonClient;
import dev.carillon.client.Job;
import dev.carillon.client.Job.State;
import dev.carillon.client.schedule.Policies.Tracking;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers in processes of their own, on the local engine. */
@Timeout(600)
class WorkerProcessTest {

  private final Team team = new Team();
  @TempDir private Path directory;
  private Process process;

  /** A worker whose handler never ends; the file has its attempt. */
  static final class Endless {

    private Endless() {}

    public static void main(String[] arguments) throws InterruptedException {
      Path begun = Path.of(arguments[3]);
      Worker.builder()
          .carillon(CarillonClient.local(URI.create(arguments[0])))
          .queue(Team.sqs(URI.create(arguments[1])), arguments[2])
          .handle(
              "exporter",
              job -> {
                Files.writeString(begun, job.attempt() + "\n");
                new CountDownLatch(1).await();
              })
          .start()
          .awaitEnd();
    }
  }

  @AfterEach
  void stopProcess() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  private void start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("output").toFile());
    process = builder.start();
  }

  private void startEndless(URI api, Path begun) throws IOException {
    start(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Endless.class.getName(),
            api.toString(),
            Team.engine().sqs().toString(),
            team.queue(),
            begun.toString()),
        Map.of());
  }

  /**
   * Its report is accepted, so it stops before its claim has ended. After a heartbeat whose answer
   * is lost, Carillon counts with the heartbeat time-out, and the worker must, too.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aWorkerWhoseHeartbeatsFailStopsTheAttemptItself(int lostAnswers) throws Exception {
    Duration minute = Duration.ofMinutes(1);
    team.store(new Tracking(minute, minute, Duration.ofSeconds(12), Duration.ofMinutes(5)), 2);
    try (Detour detour = new Detour(Team.engine().http(), "/heartbeat", lostAnswers)) {
      startEndless(detour.address(), directory.resolve("begun"));
      String jobId = team.launch(1, 5);
      await(() -> team.transition(jobId, State.RETRY_WAIT).isPresent());
      assertThat(team.transition(jobId, State.RETRY_WAIT).orElseThrow().reason())
          .contains("stopped because the claim was not extended");
    }
  }

  @Test
  void aKilledWorkerIsFollowedByAnother() throws Exception {
    Path begun = directory.resolve("begun");
    startEndless(Team.engine().http(), begun);
    // The request of a later attempt can still be handed to the process that was killed.
    team.store(Team.SHORT, 20);
    String jobId = team.launch(1, 5);
    await(() -> Files.exists(begun) && Files.readString(begun).endsWith("\n"));
    process.destroyForcibly().waitFor();
    int attempt = Integer.parseInt(Files.readString(begun).strip());

    try (Worker other = team.worker().handle("exporter", job -> {}).start()) {
      Job job = team.awaitEnd(jobId);
      assertThat(job.state()).isEqualTo(State.SUCCEEDED);
      assertThat(job.attempt()).isGreaterThan(attempt);
      assertThat(other.denial()).isEmpty();
    }
  }

  @Test
  void theExampleInPythonRuns() throws Exception {
    String[] path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    assumeTrue(
        Arrays.stream(path).anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "python3 is not installed");
    start(
        List.of("python3", "../examples/worker.py"),
        Map.of(
            "API_URL", Team.engine().http().toString(),
            "SQS_URL", Team.engine().sqs().toString(),
            "QUEUE", team.queue()));
    Job job = team.awaitEnd(team.launch(7, 5));
    assertThat(job.state()).isEqualTo(State.SUCCEEDED);
    assertThat(job.attempt()).isEqualTo(1);
  }
}
