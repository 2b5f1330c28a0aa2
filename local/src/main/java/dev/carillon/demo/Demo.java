package dev.carillon.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.demo.DemoApi.Fire;
import dev.carillon.demo.DemoApi.Preview;
import dev.carillon.demo.Script.Step;
import dev.carillon.demo.Script.Way;
import dev.carillon.document.Json;
import dev.carillon.local.LocalAccount;
import dev.carillon.local.LocalEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The demo on a running engine. It creates schedules, sends events, prints each launch request when
 * it arrives at its queue, and runs workers of tracked jobs and of a pool. At the end it reports
 * whether all required launches arrived, all tracked jobs succeeded, and the pool gave its
 * customers equal shares.
 */
final class Demo implements AutoCloseable {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration GRACE_OF_RUNS = Duration.ofMinutes(2);
  private static final List<String> ONLY_NOW_AND_THEN = List.of("exporter", "reporter", "fitbit");

  /** When the manual launch is made, in the unit of the script; see {@link Script#LENGTH}. */
  private static final int LAUNCH_AT = 2;

  /** When the tracked jobs begin, in the same unit. */
  private static final int TRACKED_AT = 3;

  /** When the jobs of the pool begin, in the same unit. */
  private static final int POOLED_AT = 4;

  private final DemoApi api;
  private final SqsClient sqs;
  private final String ingestUrl;
  private final Duration length;
  private final Screen screen;
  private final Launches launches = new Launches();
  private final TrackedJobs tracked;
  private final PooledJobs pooled;
  private final List<Listener> listeners = new ArrayList<>();
  private final ScheduledExecutorService stage = Executors.newSingleThreadScheduledExecutor();

  /**
   * @param length how long the demo sends events and observes fires
   */
  Demo(URI http, URI sqsEndpoint, URI ingestQueue, Duration length, Screen screen) {
    this.api = new DemoApi(http);
    this.sqs = LocalAccount.sqs(sqsEndpoint);
    this.ingestUrl = ingestQueue.toString();
    this.length = length;
    this.screen = screen;
    this.tracked = new TrackedJobs(http, sqs, screen);
    this.pooled = new PooledJobs(http, screen);
  }

  /** The launch requests that have arrived so far. */
  List<Launch> launches() {
    return launches.all();
  }

  /**
   * Runs the demo. The result is true if all required launches arrived, none was early, the tracked
   * jobs succeeded, no work was done twice, and the customers of the pool had equal shares.
   */
  boolean run() throws InterruptedException {
    Map<String, JsonNode> documents = documents("schedules.json");
    Map<String, JsonNode> ofTracked = documents("tracked.json");
    Map<String, JsonNode> ofPool = documents("pooled.json");
    Map<String, Instant> created = new LinkedHashMap<>();
    documents.forEach((name, document) -> created.put(name, api.put(name, document)));
    ofTracked.forEach(api::put);
    pooled.create();
    ofPool.forEach(api::put);
    documents.forEach(this::introduce);
    ofTracked.forEach(this::introduce);
    ofPool.forEach(this::introduce);
    listen(documents);
    screen.line("");
    screen.text(
        "Every launch request as it arrives at its queue. The column \"late\" shows how long after its instant each request arrived. Job ids are shown without their common prefix, %s~<schedule>~."
            .formatted(DemoApi.NAMESPACE));
    screen.line("");
    screen.launchHeader();
    Instant end = play();
    Expectation expectation = new Expectation(fires(created, end), Script.outcomes());
    launches.await(expectation::isMetBy, GRACE);
    listeners.forEach(Listener::close);
    Summary summary =
        new Summary(
            expectation, until(end), tracked.await(GRACE_OF_RUNS), pooled.await(GRACE_OF_RUNS));
    summary.print(screen);
    return summary.faults().isEmpty();
  }

  private static Map<String, JsonNode> documents(String name) {
    try (InputStream file = Demo.class.getResourceAsStream(name)) {
      byte[] bytes = Objects.requireNonNull(file, name + " is missing").readAllBytes();
      Map<String, JsonNode> documents = new LinkedHashMap<>();
      Json.readObject(new String(bytes, StandardCharsets.UTF_8))
          .properties()
          .forEach(entry -> documents.put(entry.getKey(), entry.getValue()));
      return documents;
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private void introduce(String name, JsonNode document) {
    Preview preview = api.preview(name, Instant.now());
    String queue = document.path("target").path("queue").asText();
    String to = document.path("pool").asText(queue);
    screen.line("  %-9s  to %-8s  %s", name, to, preview.description());
    if (ONLY_NOW_AND_THEN.contains(name) && !preview.fires().isEmpty()) {
      Fire next = preview.fires().get(0);
      screen.line("  %-9s  next at %s: %s", "", next.local(), next.request());
    }
  }

  private void listen(Map<String, JsonNode> documents) {
    TreeSet<String> queues = new TreeSet<>();
    documents.values().forEach(one -> queues.add(one.path("target").path("queue").asText()));
    queues.forEach(
        queue -> listeners.add(Listener.start(sqs, LocalEngine.TARGET_PREFIX + queue, this::show)));
  }

  private void show(Launch launch) {
    screen.launch(launch);
    launches.add(launch);
  }

  /** Performs the steps of the script; returns the instant of its end. */
  private Instant play() throws InterruptedException {
    Instant end = Instant.now().plus(length);
    List<Future<?>> steps = new ArrayList<>();
    steps.add(at(LAUNCH_AT, this::launchManually));
    steps.add(at(TRACKED_AT, tracked::launch));
    steps.add(at(POOLED_AT, pooled::launch));
    Script.steps().forEach(step -> steps.add(at(step.at(), () -> send(step))));
    steps.add(at(Script.LENGTH, () -> {}));
    for (Future<?> step : steps) {
      try {
        step.get();
      } catch (ExecutionException failed) {
        throw new DemoFault("a step of the demo failed: " + failed.getCause(), failed);
      }
    }
    return end;
  }

  private Future<?> at(int time, Runnable step) {
    long millis = length.toMillis() * time / Script.LENGTH;
    return stage.schedule(step, millis, TimeUnit.MILLISECONDS);
  }

  private void launchManually() {
    screen.sent(Instant.now(), "HTTP", "launch " + Script.LAUNCHED_MANUALLY + " now");
    api.launch(Script.LAUNCHED_MANUALLY, Json.object());
  }

  private void send(Step step) {
    screen.sent(Instant.now(), step.way().name(), step.text());
    if (step.way() == Way.HTTP) {
      api.send(List.of(step.event()));
    } else {
      sqs.sendMessage(send -> send.queueUrl(ingestUrl).messageBody(Json.write(step.event())));
    }
  }

  private Map<String, List<Instant>> fires(Map<String, Instant> created, Instant end) {
    Map<String, List<Instant>> fires = new LinkedHashMap<>();
    created.forEach(
        (name, since) ->
            fires.put(
                name,
                api.preview(name, since).fires().stream()
                    .map(Fire::scheduledFor)
                    .filter(fire -> !fire.isAfter(end))
                    .toList()));
    return fires;
  }

  private List<Launch> until(Instant end) {
    return launches.all().stream()
        .filter(launch -> !launch.isTimed() || !launch.scheduledFor().isAfter(end))
        .toList();
  }

  @Override
  public void close() {
    stage.shutdownNow();
    listeners.forEach(Listener::close);
    tracked.close();
    pooled.close();
    sqs.close();
  }
}
