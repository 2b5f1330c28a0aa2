package dev.carillon.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The Lambda Runtime API for one execution environment, on the loopback interface. A runtime
 * interface client asks it for the next event and reports the result.
 */
final class RuntimeApi implements AutoCloseable {

  private static final String VERSION = "/2018-06-01/runtime/";
  private static final String NEXT = "invocation/next";
  private static final String RESTORED = "restore/next";
  private static final String INIT_ERROR = "init/error";
  private static final String RESTORE_ERROR = "restore/error";
  private static final String RESPONSE = "response";
  private static final String ERROR = "error";
  private static final int OK = 200;
  private static final int ACCEPTED = 202;
  private static final int NOT_FOUND = 404;
  private static final int NO_BODY = -1;
  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    // Without this option, each answer waits 40 ms for the acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private record Invocation(String id, String event, Instant deadline) {}

  private final String functionArn;
  private final HttpServer server;
  private final ExecutorService threads;
  private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
  private final ConcurrentMap<String, CompletableFuture<String>> running =
      new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private volatile @Nullable FunctionFault abandoned;

  RuntimeApi(String functionName) {
    functionArn = LocalAccount.functionArn(functionName);
    threads = Executors.newCachedThreadPool(Daemon.threads(functionName + "-runtime-api"));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException fault) {
      throw new StartFault("no free port for the runtime API of " + functionName, fault);
    }
    server.setExecutor(threads);
    server.createContext(VERSION, this::handle);
    server.start();
  }

  /** The host and port. */
  String address() {
    return server.getAddress().getAddress().getHostAddress() + ":" + server.getAddress().getPort();
  }

  /** Completes when the function is initialized and asks for its first event. */
  CompletableFuture<Boolean> ready() {
    return ready;
  }

  /** Invokes the function; the result is its answer or a {@link FunctionFault}. */
  CompletableFuture<String> invoke(String event, Instant deadline) {
    Invocation invocation = new Invocation(UUID.randomUUID().toString(), event, deadline);
    CompletableFuture<String> answer = new CompletableFuture<>();
    running.put(invocation.id(), answer);
    waiting.add(invocation);
    if (abandoned != null) {
      answer.completeExceptionally(abandoned);
    }
    return answer;
  }

  /**
   * Fails all unanswered invocations and all later ones with the reason, because the process has
   * ended.
   */
  void abandon(FunctionFault reason) {
    abandoned = reason;
    ready.completeExceptionally(reason);
    running.values().forEach(answer -> answer.completeExceptionally(reason));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String call = exchange.getRequestURI().getPath().substring(VERSION.length());
      switch (call) {
        case NEXT -> next(exchange);
        case RESTORED -> exchange.sendResponseHeaders(OK, NO_BODY);
        case INIT_ERROR, RESTORE_ERROR -> {
          ready.completeExceptionally(fault(exchange));
          exchange.sendResponseHeaders(ACCEPTED, NO_BODY);
        }
        default -> end(exchange, call.split("/"));
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void next(HttpExchange exchange) throws IOException, InterruptedException {
    ready.complete(true);
    Invocation invocation = waiting.take();
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/json");
    headers.set("Lambda-Runtime-Aws-Request-Id", invocation.id());
    headers.set("Lambda-Runtime-Deadline-Ms", Long.toString(invocation.deadline().toEpochMilli()));
    headers.set("Lambda-Runtime-Invoked-Function-Arn", functionArn);
    byte[] event = invocation.event().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(OK, event.length);
    exchange.getResponseBody().write(event);
  }

  /** Handles {@code invocation/ID/response} and {@code invocation/ID/error}. */
  private void end(HttpExchange exchange, String[] call) throws IOException {
    CompletableFuture<String> answer = call.length == 3 ? running.remove(call[1]) : null;
    if (answer == null) {
      exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
      return;
    }
    switch (call[2]) {
      case RESPONSE -> answer.complete(text(exchange));
      case ERROR -> answer.completeExceptionally(fault(exchange));
      default -> answer.completeExceptionally(new FunctionFault("unknown call " + call[2]));
    }
    exchange.sendResponseHeaders(ACCEPTED, NO_BODY);
  }

  private static String text(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static FunctionFault fault(HttpExchange exchange) throws IOException {
    JsonNode error = JSON.readTree(text(exchange));
    return new FunctionFault(
        error.path("errorType").asText() + ": " + error.path("errorMessage").asText());
  }
}
