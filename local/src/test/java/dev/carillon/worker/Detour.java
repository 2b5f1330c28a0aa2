package dev.carillon.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The HTTP API with one kind of request that fails. All others reach the engine. */
final class Detour implements AutoCloseable {

  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final URI engine;
  private final String failing;
  private final AtomicInteger toLose;

  /**
   * @param failing the end of the paths whose requests get 503
   * @param lost how many of these requests, the first ones, reach the engine nevertheless
   */
  Detour(URI engine, String failing, int lost) {
    this.engine = engine;
    this.failing = failing;
    this.toLose = new AtomicInteger(lost);
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestURI().getPath().endsWith(failing)) {
        if (toLose.getAndDecrement() > 0) {
          forward(exchange, body);
        }
        exchange.sendResponseHeaders(503, -1);
      } else {
        HttpResponse<byte[]> answer = forward(exchange, body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body)
      throws IOException, InterruptedException {
    URI there = URI.create(engine + exchange.getRequestURI().getRawPath());
    return client.send(
        HttpRequest.newBuilder(there)
            .header("Content-Type", "application/json")
            .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
