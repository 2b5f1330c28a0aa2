package dev.carillon.bench.latency;

import dev.carillon.bench.harness.Arrivals;
import dev.carillon.bench.harness.Arrivals.Arrival;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Latencies;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Waiting;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Launches at a steady rate on the local engine, and measures when each request reaches its queue.
 */
@Command(
    name = "latency",
    description =
        "How long after its due instant each request is visible in the target queue, at a steady rate.",
    showDefaultValues = true)
public final class LatencyCommand implements Callable<Integer> {

  private static final String QUEUE = "latency";
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration LATEST = Duration.ofSeconds(60);
  private static final int CREATED = 201;

  @Option(names = "--rate", paramLabel = "N", description = "Launches per second.")
  private int rate = 100;

  @Option(names = "--seconds", paramLabel = "N", description = "Duration of the measurement.")
  private int seconds = 60;

  @Mixin private Output output = new Output();

  /** The measured delays; all times are in seconds. */
  record LatencyLine(int rate, double p50, double p95, double p99, double max, int early) {}

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--rate", rate);
    CannotRun.ifLess(1, "--seconds", seconds);
    Progress progress = output.progress();
    var options = new LocalEngine.Options(LocalEngine.TEMPLATE, 0, 0, 0, null);
    try (LocalEngine engine = LocalEngine.start(options);
        SqsClient sqs = LocalAccount.sqs(engine.sqs())) {
      String url =
          sqs.createQueue(it -> it.queueName(LocalEngine.TARGET_PREFIX + QUEUE)).queueUrl();
      try (Arrivals arrivals = new Arrivals(sqs, url, 1)) {
        for (int number = 0; number < rate; number++) {
          put(engine.http(), number);
        }
        progress.say("%,d schedules fire each second; warming up", rate);
        Instant start = Instant.now().plus(WARM_UP).truncatedTo(ChronoUnit.SECONDS);
        output.results().add(measure(arrivals, start, progress));
      }
    }
    return 0;
  }

  private void put(URI http, int number) {
    URI schedule = http.resolve("/v1/namespaces/default/schedules/each-second-" + number);
    String document = Loader.cron("* * * * * ?", QUEUE);
    HttpRequest request =
        HttpRequest.newBuilder(schedule)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(document))
            .build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != CREATED) {
        throw new CannotRun("the engine refused a schedule: " + answer.body());
      }
    } catch (IOException fault) {
      throw new CannotRun("no answer from the engine: " + fault, fault);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new CannotRun("interrupted", stop);
    }
  }

  private LatencyLine measure(Arrivals arrivals, Instant start, Progress progress) {
    Instant end = start.plusSeconds(seconds);
    int expected = rate * seconds;
    Waiting.until(start);
    progress.say("measuring %d seconds", seconds);
    Waiting.until(end);
    Waiting.until(
        "not every launch has arrived",
        LATEST,
        () -> within(arrivals, start, end).size() >= expected);
    List<Arrival> measured = within(arrivals, start, end);
    long[] late = measured.stream().mapToLong(Arrival::lateMillis).toArray();
    requireEachOnce(measured, expected);
    Latencies latencies = new Latencies(late);
    return new LatencyLine(
        rate,
        latencies.percentile(50),
        latencies.percentile(95),
        latencies.percentile(99),
        latencies.max(),
        latencies.early());
  }

  private static void requireEachOnce(List<Arrival> measured, int expected) {
    long distinct = measured.stream().map(Arrival::job).distinct().count();
    if (distinct != expected || measured.size() != expected) {
      throw new IllegalStateException(
          measured.size() + " requests of " + distinct + " jobs arrived; both must be " + expected);
    }
  }

  private static List<Arrival> within(Arrivals arrivals, Instant start, Instant end) {
    return arrivals.arrived().stream()
        .filter(it -> !it.scheduledFor().isBefore(start) && it.scheduledFor().isBefore(end))
        .toList();
  }
}
