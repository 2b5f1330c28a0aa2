package dev.carillon.cli.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.client.CarillonClient;
import dev.carillon.console.Console;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the console on 127.0.0.1, for one browser, until it is closed. */
public final class ConsoleServer implements AutoCloseable {

  /** The number is enough for a browser, which opens six connections to a server. */
  private static final int THREADS = 8;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final String TOKEN = "token=";

  private final HttpServer server;
  private final ExecutorService threads;
  private final Guard guard;
  private final ApiCalls calls;

  private ConsoleServer(HttpServer server, CarillonClient client) {
    this.server = server;
    this.threads = Executors.newFixedThreadPool(THREADS);
    this.guard = new Guard("127.0.0.1:" + server.getAddress().getPort());
    this.calls = new ApiCalls(client);
  }

  /**
   * Starts on a free port.
   *
   * @param client the client of the API that the console shows
   */
  public static ConsoleServer start(CarillonClient client) throws IOException {
    // Without this option, an answer can wait 40 ms for an acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0);
    ConsoleServer console = new ConsoleServer(HttpServer.create(address, 0), client);
    console.server.createContext("/", console::handle);
    console.server.setExecutor(console.threads);
    console.server.start();
    return console;
  }

  /** The address for the browser; it works once. */
  public URI address() {
    return page().resolve("?" + TOKEN + guard.token());
  }

  private URI page() {
    int port = server.getAddress().getPort();
    return URI.create("http://127.0.0.1:" + port + guard.root() + Console.PATH);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      reply(exchange).send(exchange);
    }
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    Optional<String> foreign = guard.foreign(method, exchange.getRequestHeaders());
    if (foreign.isPresent()) {
      return Reply.problem(403, "Refused", foreign.get());
    }
    String path = exchange.getRequestURI().getRawPath();
    if (!path.startsWith(guard.root() + "/")) {
      return Reply.problem(404, "Not found", "there is nothing at this address");
    }
    String own = path.substring(guard.root().length());
    boolean isEntrance = own.equals(Console.PATH) && method.equals("GET");
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    boolean hasToken = isEntrance && query.startsWith(TOKEN);
    if (guard.knows(exchange.getRequestHeaders())) {
      return hasToken ? entered(Map.of()) : known(exchange, own);
    }
    Optional<String> cookie =
        hasToken ? guard.admit(query.substring(TOKEN.length())) : Optional.empty();
    return cookie.map(it -> entered(Map.of("Set-Cookie", it))).orElseGet(ConsoleServer::unknown);
  }

  /** Redirects to the page without the token, so that neither history nor bookmarks contain it. */
  private Reply entered(Map<String, String> cookie) {
    Map<String, String> headers = new TreeMap<>(cookie);
    headers.put("Location", guard.root() + Console.PATH);
    return new Reply(303, headers, new byte[0]);
  }

  private static Reply unknown() {
    return Reply.problem(
        401,
        "This browser is not known",
        "the address works once, in one browser; run 'carillon console' again for another one");
  }

  private Reply known(HttpExchange exchange, String path) throws IOException {
    if (path.startsWith(ApiCalls.PATH)) {
      return calls.answer(exchange, path);
    }
    if (!path.startsWith(Console.PATH)) {
      return Reply.problem(404, "Not found", "there is nothing at this address");
    }
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return Reply.problem(405, "Method not allowed", "the files of the page can only be read");
    }
    String name = path.substring(Console.PATH.length());
    String etag = exchange.getRequestHeaders().getFirst("If-None-Match");
    Console.Answer answer = Console.answer(name, etag);
    return new Reply(answer.status(), answer.headers(), answer.body());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
