package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("system properties are those of all tests in the JVM")
class ClientsProxyTest {

  private static final byte[] NO_TABLES = "{\"TableNames\": []}".getBytes(StandardCharsets.UTF_8);

  /** A proxy that no request reaches. */
  private static final Map<String, String> PROXY =
      Map.of(
          "http.proxyHost", "127.0.0.1",
          "http.proxyPort", "1",
          "http.nonProxyHosts", "none.invalid");

  private final Map<String, String> before = new HashMap<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    PROXY.forEach((name, value) -> before.put(name, System.setProperty(name, value)));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, NO_TABLES.length);
          exchange.getResponseBody().write(NO_TABLES);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    before.forEach(
        (name, value) -> {
          if (value == null) {
            System.clearProperty(name);
          } else {
            System.setProperty(name, value);
          }
        });
  }

  @Test
  @Timeout(60)
  void aRequestToAnEndpointThatIsGivenUsesNoProxy() {
    Map<String, String> environment = new CloudDouble().environment();
    environment.put(
        "AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:" + server.getAddress().getPort());

    try (Clients clients = Clients.of(Config.of(environment), 2)) {
      assertThat(clients.dynamoDb().listTables().tableNames()).isEmpty();
    }
  }
}
