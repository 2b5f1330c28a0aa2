package dev.carillon.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A server that gives recorded answers, and keeps the requests. */
final class Stub implements AutoCloseable {

  /** The status of an answer that never arrives: the connection ends before it. */
  static final int NO_ANSWER = 0;

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  final List<String> requests = new ArrayList<>();
  final List<String> bodies = new ArrayList<>();
  String authorization;

  private record Answer(int status, String body) {}

  Stub() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  Stub answers(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    authorization = exchange.getRequestHeaders().getFirst("Authorization");
    Answer answer = answers.size() > 1 ? answers.poll() : answers.peek();
    if (answer.status() == NO_ANSWER) {
      exchange.close();
      return;
    }
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
