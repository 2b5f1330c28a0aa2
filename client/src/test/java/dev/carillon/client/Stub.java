package dev.carillon.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A server that answers as instructed, and keeps the requests. */
final class Stub implements AutoCloseable {

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();

  /** The last request. */
  volatile SigV4.Request request;

  private record Answer(int status, String body, Map<String, String> headers) {}

  Stub() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException noPort) {
      throw new IllegalStateException(noPort);
    }
    server.createContext("/", this::answer);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  Stub answers(int status, String body) {
    return answers(status, body, Map.of());
  }

  Stub answers(int status, String body, Map<String, String> headers) {
    answers.add(new Answer(status, body, headers));
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    String query = exchange.getRequestURI().getRawQuery();
    request =
        new SigV4.Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getRawPath(),
            query == null ? "" : query,
            headers,
            exchange.getRequestBody().readAllBytes());
    Answer answer = answers.poll();
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  String body() {
    return new String(request.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
