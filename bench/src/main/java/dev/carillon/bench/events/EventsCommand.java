package dev.carillon.bench.events;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.carillon.bench.cost.VirtualCloud;
import dev.carillon.bench.harness.CannotRun;
import dev.carillon.bench.harness.Loader;
import dev.carillon.bench.harness.Output;
import dev.carillon.bench.harness.Progress;
import dev.carillon.bench.harness.Results;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counts events with the ingest function. Batches arrive as fast as the function handles them. */
@Command(
    name = "events",
    description =
        "Events that one schedule or many schedules count per second, or one event that very many"
            + " schedules count.",
    showDefaultValues = true)
public final class EventsCommand implements Callable<Integer> {

  /** A count that is never reached, so that no job launches. */
  private static final int NEVER_REACHED = 1_000_000_000;

  @Option(names = "--events", paramLabel = "N", description = "How many events.")
  private int events = 50_000;

  @Option(names = "--schedules", paramLabel = "N", description = "Schedules in the second case.")
  private int schedules = 10_000;

  @Option(names = "--batch", paramLabel = "N", description = "Events per invocation.")
  private int batch = 1_000;

  @Option(names = "--concurrency", paramLabel = "N", description = "Concurrent invocations.")
  private int concurrency = 4;

  @Option(
      names = "--fan-out",
      paramLabel = "N",
      description = "Instead, measure one event that concerns this many schedules.")
  private int fanOut;

  @Mixin private Output output = new Output();

  /** The measured rates. A write is a request to DynamoDB that stores something. */
  record EventsLine(
      @JsonProperty("case") String name,
      int schedules,
      int events,
      double perSecond,
      double writesPerEvent,
      double writeUnitsPerEvent) {}

  @Override
  public Integer call() {
    CannotRun.ifLess(1, "--events", events);
    CannotRun.ifLess(1, "--schedules", schedules);
    CannotRun.ifLess(1, "--batch", batch);
    CannotRun.ifLess(1, "--concurrency", concurrency);
    Results results = output.results();
    Progress progress = output.progress();
    if (fanOut > 0) {
      new FanOut(fanOut, progress).run(results);
      return 0;
    }
    progress.say("warming up");
    measure("warm-up", 10, Math.min(events, 20_000), progress);
    progress.say("one schedule");
    results.add(measure("one-schedule", 1, events, progress));
    progress.say("%,d schedules", schedules);
    results.add(measure("many-schedules", schedules, events, progress));
    return 0;
  }

  private EventsLine measure(String name, int into, int count, Progress progress) {
    try (VirtualCloud cloud = new VirtualCloud(Clock.tickMillis(ZoneOffset.UTC))) {
      cloud.store(
          into, "on", number -> Loader.partition("d" + number, NEVER_REACHED, "work"), progress);
      cloud.reset();
      List<List<String>> batches = batches(into, count);
      long start = System.nanoTime();
      ingestAll(cloud, batches);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new EventsLine(
          name,
          into,
          count,
          count / seconds,
          cloud.meter().writeRequests() / (double) count,
          cloud.meter().writeUnits() / count);
    }
  }

  private void ingestAll(VirtualCloud cloud, List<List<String>> batches) {
    ExecutorService invocations = Executors.newFixedThreadPool(concurrency);
    try {
      batches.stream()
          .map(bodies -> CompletableFuture.runAsync(() -> ingest(cloud, bodies), invocations))
          .toList()
          .forEach(CompletableFuture::join);
    } finally {
      invocations.shutdownNow();
    }
  }

  /** Ingests the events, and those that SQS would deliver again: failed and handed on. */
  private void ingest(VirtualCloud cloud, List<String> bodies) {
    List<String> rest = bodies;
    while (!rest.isEmpty()) {
      List<String> next = new ArrayList<>(cloud.ingest(rest));
      next.addAll(cloud.resentEvents(batch));
      rest = next;
    }
  }

  private List<List<String>> batches(int into, int count) {
    List<List<String>> batches = new ArrayList<>();
    for (int from = 0; from < count; from += batch) {
      int to = Math.min(from + batch, count);
      batches.add(IntStream.range(from, to).mapToObj(number -> event(number, into)).toList());
    }
    return batches;
  }

  private static String event(int number, int into) {
    return """
        {"eventType": "PARTITION", "timestamp": %d,
         "payload": {"datasetId": "d%d", "partitionKeys": ["part-%d"]}}
        """
        .formatted(Instant.now().toEpochMilli(), number % into, number);
  }
}
