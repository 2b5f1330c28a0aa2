package dev.carillon.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.client.CarillonClient;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The API of claims, pulls and reports over HTTP, without time-outs of its own. It keeps all calls.
 * Its answers name the ends of claims by the given clock.
 */
final class FakeApi implements AutoCloseable {

  private static final long LONGEST_WAIT_SECONDS = 120;

  /** All texts have the same length, so that they are in the order of their instants. */
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final LongSupplier clock;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(Threads.named("fake-api"));
  private final Map<String, BlockingQueue<Call>> calls = new ConcurrentHashMap<>();
  private final Map<String, Answer> refusals = new ConcurrentHashMap<>();
  private final Map<String, String> claimants = new HashMap<>();
  private final Map<String, String> ends = new HashMap<>();
  private final Map<String, FakePool> pools = new ConcurrentHashMap<>();
  volatile double claimSeconds = 60;
  volatile double heartbeatSeconds = 60;

  /** No claim ends after this instant of the clock, as none does after the run time-out. */
  volatile Duration lastEnd = Duration.ofDays(365_000);

  volatile boolean cancelled;
  volatile String operations = "null";

  /**
   * A request.
   *
   * @param job the job, or the pool
   */
  record Call(String namespace, String job, String what, JsonNode body) {}

  private record Answer(int status, String body, Map<String, String> headers) {

    Answer(int status, String body) {
      this(status, body, Map.of());
    }
  }

  FakeApi() {
    this(System::nanoTime);
  }

  /**
   * @param clock a monotonic clock in nanoseconds
   */
  FakeApi(LongSupplier clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException noPort) {
      throw new IllegalStateException(noPort);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  CarillonClient client() {
    return CarillonClient.local(uri());
  }

  /** Refuses all requests of a kind from now on. */
  void refuse(String what, int status, String problem) {
    refuse(what, status, problem, Map.of());
  }

  /** With a greater {@code Content-Length} than the problem has, the connection ends too early. */
  void refuse(String what, int status, String problem, Map<String, String> headers) {
    refusals.put(what, new Answer(status, problem, headers));
  }

  void accept(String what) {
    refusals.remove(what);
  }

  /** Waits for the next request of a kind. */
  Call next(String what) throws InterruptedException {
    Call call = queue(what).poll(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(call).as("no " + what + " came").isNotNull();
    return call;
  }

  /** The requests of a kind that {@link #next} has not returned. */
  List<Call> rest(String what) {
    return List.copyOf(queue(what));
  }

  private BlockingQueue<Call> queue(String what) {
    return calls.computeIfAbsent(what, any -> new LinkedBlockingQueue<>());
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/");
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Call call = new Call(path[3], path[5], path[6], Json.read(body, JsonNode.class));
    boolean isPull = call.what().equals("next");
    if (isPull) {
      queue(call.what()).add(call);
    }
    Answer refusal = refusals.get(call.what());
    Answer answer = refusal == null ? (isPull ? pulled(call) : accepted(call)) : refusal;
    if (!isPull) {
      // Before the answer, so that a caller that has it finds its call kept.
      queue(call.what()).add(call);
    }
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    String announced = answer.headers().get("Content-Length");
    long length = announced == null ? bytes.length : Long.parseLong(announced);
    exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** The jobs of the only pool, which pulls wait for. */
  FakePool pool() {
    return pool("encode");
  }

  FakePool pool(String name) {
    return pools.computeIfAbsent(name, any -> new FakePool());
  }

  private Answer pulled(Call call) {
    String jobs =
        pool(call.job()).next(call.body()).stream()
            .map(job -> job.answer(expiry(claimSeconds)))
            .collect(Collectors.joining(",", "{\"jobs\": [", "]}"));
    Answer refusal = refusals.get("answer");
    return refusal == null ? new Answer(200, jobs) : refusal;
  }

  private synchronized Answer accepted(Call call) {
    return switch (call.what()) {
      case "claim" -> claim(call);
      case "heartbeat" ->
          new Answer(200, "{%s, \"cancelled\": %s}".formatted(expiry(heartbeatSeconds), cancelled));
      default -> {
        String end = call.what() + call.body();
        String first = ends.computeIfAbsent(call.job(), any -> end);
        yield first.equals(end) ? new Answer(200, "{\"jobId\": \"j\"}") : conflict("stale-claim");
      }
    };
  }

  private Answer claim(Call call) {
    String claimant = call.body().get("worker").asText();
    int attempt = call.body().get("attempt").asInt();
    String first = claimants.computeIfAbsent(call.job() + attempt, any -> claimant);
    return first.equals(claimant)
        ? new Answer(
            200,
            """
            {"claimToken": "t-%s-%d", "attempt": %d, %s, "operations": %s}
            """
                .formatted(call.job(), attempt, attempt, expiry(claimSeconds), operations))
        : conflict("superseded");
  }

  /** The members of an answer that say when a claim ends, which lasts so long from now on. */
  private String expiry(double seconds) {
    Duration now = Duration.ofNanos(clock.getAsLong());
    Duration asked = now.plusNanos(Math.round(seconds * 1e9));
    Duration end = asked.compareTo(lastEnd) < 0 ? asked : lastEnd;
    return "\"expiresAt\": \"%s\", \"expiresIn\": %s"
        .formatted(
            MILLIS.format(Instant.EPOCH.plus(end)),
            BigDecimal.valueOf(end.minus(now).toNanos(), 9).toPlainString());
  }

  private static Answer conflict(String type) {
    return new Answer(409, problem(type));
  }

  static String problem(String type) {
    return "{\"detail\": \"refused\", \"type\": \"urn:carillon:problem:" + type + "\"}";
  }

  @Override
  public void close() {
    pools.values().forEach(FakePool::end);
    server.stop(0);
    threads.shutdownNow();
  }
}
