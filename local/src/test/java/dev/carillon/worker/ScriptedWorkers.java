package dev.carillon.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.OperationProgress;
import dev.carillon.client.OperationState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The program of a worker process. It obeys the lines of its input, and says what its workers do.
 * The body of a job has the script: {@code fails} and {@code waits} are numbers of attempts from
 * the first on, {@code failsAt} is the operation at which the first attempt fails.
 */
final class ScriptedWorkers {

  private final CarillonClient carillon;
  private final SqsClient sqs;

  /** They work until the process ends. */
  private final List<Worker> workers = new ArrayList<>();

  /** What attempts wait for, by queue. */
  private final Map<String, CountDownLatch> releases = new ConcurrentHashMap<>();

  private ScriptedWorkers(URI api, URI sqs) {
    this.carillon = CarillonClient.local(api);
    this.sqs = Team.sqs(sqs);
  }

  public static void main(String[] arguments) throws IOException {
    ScriptedWorkers workers =
        new ScriptedWorkers(URI.create(arguments[0]), URI.create(arguments[1]));
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = orders.readLine(); order != null; order = orders.readLine()) {
      workers.obey(order.split(" "));
    }
    System.exit(0);
  }

  private void obey(String[] order) {
    switch (order[0]) {
      case "work" -> start(order[1], Integer.parseInt(order[2]));
      case "release" -> release(order[1]).countDown();
      default -> throw new IllegalArgumentException(order[0]);
    }
  }

  private CountDownLatch release(String queue) {
    return releases.computeIfAbsent(queue, any -> new CountDownLatch(1));
  }

  private void start(String queue, int threads) {
    workers.add(
        Worker.builder()
            .carillon(carillon)
            .queue(sqs, queue)
            .threads(threads)
            .listener(new Saying())
            .handle("exporter", job -> carryOut(job, release(queue)))
            .start());
  }

  private static void carryOut(ClaimedJob job, CountDownLatch release) throws InterruptedException {
    say("begun", job.jobId(), job.attempt() + " " + new TreeMap<>(job.operations()));
    JsonNode script = job.body(JsonNode.class);
    if (job.attempt() <= script.path("waits").asInt()) {
      release.await();
    }
    if (script.path("isFatal").asBoolean()) {
      throw new FatalJobException("no such table");
    }
    if (job.attempt() <= script.path("fails").asInt()) {
      throw new IllegalStateException("attempt " + job.attempt());
    }
    for (OperationProgress operation : job.agenda()) {
      if (!job.isDone(operation.id())) {
        boolean fails =
            job.attempt() == 1 && script.path("failsAt").asText().equals(operation.id());
        carryOut(job, operation.id(), fails);
      }
    }
  }

  private static void carryOut(ClaimedJob job, String operation, boolean fails) {
    job.operation(operation, OperationState.RUNNING);
    job.operation(operation, fails ? OperationState.FAILED : OperationState.SUCCEEDED);
    if (fails) {
      throw new IllegalStateException("the disk is full");
    }
    say("did", job.jobId(), operation);
  }

  private static void say(String what, String about, String more) {
    System.out.println(WorkerHost.SAID + (what + " " + about + " " + more).strip());
  }

  /** Says what becomes of requests. */
  private static final class Saying implements WorkerListener {

    @Override
    public void received(String queue, int requests) {
      for (int i = 0; i < requests; i++) {
        say("received", queue, "");
      }
    }

    @Override
    public void unclaimed(LaunchRequest request, String reason) {
      say("unclaimed", request.jobId(), reason);
    }

    @Override
    public void ended(ClaimedJob job, JobEnding ending, Duration ran) {
      say("ended", job.jobId(), job.attempt() + " " + ending);
    }
  }
}
