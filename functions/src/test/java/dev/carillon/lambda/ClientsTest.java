package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClientsTest {

  private static final byte[] NO_TABLES = "{\"TableNames\": []}".getBytes(StandardCharsets.UTF_8);

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answerAllButTheFirst);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answerAllButTheFirst(HttpExchange exchange) throws IOException {
    if (requests.incrementAndGet() > 1) {
      exchange.sendResponseHeaders(200, NO_TABLES.length);
      exchange.getResponseBody().write(NO_TABLES);
      exchange.close();
    }
  }

  /** The time limit is below the HTTP client's default of 30 s, and has room for a busy machine. */
  @Test
  @Timeout(25)
  void anUnansweredRequestIsRepeated() {
    Map<String, String> environment = new CloudDouble().environment();
    environment.put(
        "AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:" + server.getAddress().getPort());

    try (Clients clients = Clients.of(Config.of(environment), 2)) {
      assertThat(clients.dynamoDb().listTables().tableNames()).isEmpty();
    }
    assertThat(requests).hasValue(2);
  }
}
