package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Each of the three servers refuses what a page in a browser can send: a request from another
 * origin, and one to a name that an attacker's DNS server resolved to this machine.
 */
class ForeignRequestsTest {

  private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
  private static final String JSON = "Content-Type: application/json";

  @TempDir private Path records;
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private final Gateway gateway = new Gateway(0);
  private final EmbeddedDynamoDb database = EmbeddedDynamoDb.inMemory(0);
  private final EmbeddedSqs queues = EmbeddedSqs.inMemory(0);

  @BeforeEach
  void start() {
    SamTemplate.Function definition =
        new SamTemplate.Function(
            "Api",
            StubApiHandler.class.getName(),
            records,
            false,
            Duration.ofSeconds(5),
            128,
            Map.of(),
            List.of());
    Map<String, String> environment = Map.of("NAME", "guard", "RECORDS", records.toString());
    gateway.open();
    gateway.route(
        new EventSource.Route("POST", "/v1/things"),
        LoadedFunction.load(definition, environment, watch));
    gateway.start();
  }

  @AfterEach
  void stop() {
    gateway.close();
    queues.close();
    database.close();
    watch.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host: attacker.example:%d", "Host: 127.0.0.1.attacker.example:%d"})
  void aRequestToAnotherNameIsRefused(String host) throws IOException {
    for (URI server : servers()) {
      String answer = post(server, "", host.formatted(server.getPort()), JSON);
      assertThat(answer).startsWith("HTTP/1.1 403 ").contains("attacker.example");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://attacker.example",
        "Origin: null",
        "Origin: http://localhost:1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site"
      })
  void aRequestOfAPageOfAnotherOriginIsRefused(String header) throws IOException {
    for (URI server : servers()) {
      assertThat(post(server, "", own(server, "127.0.0.1"), JSON, header))
          .startsWith("HTTP/1.1 403 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST", "[::1]"})
  void aRequestToTheServersNamesIsAnswered(String name) throws IOException {
    for (URI server : servers()) {
      assertThat(post(server, "", own(server, name), JSON)).doesNotContain(" 403 ");
      String origin = "Origin: http://" + name + ":" + server.getPort();
      assertThat(post(server, "", own(server, name), JSON, origin, "Sec-Fetch-Site: same-origin"))
          .doesNotContain(" 403 ");
    }
  }

  @Test
  void aFormOfAnotherPageMakesNoQueue() throws IOException {
    URI server = queues.endpoint();
    String form = "Action=CreateQueue&QueueName=planted";
    String origin = "Origin: http://attacker.example";
    assertThat(post(server, form, own(server, "127.0.0.1"), FORM, origin))
        .startsWith("HTTP/1.1 403 ");
    String image =
        "GET /?%s HTTP/1.1\r\n%s\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n"
            .formatted(form, own(server, "localhost"));
    assertThat(exchange(server, image)).startsWith("HTTP/1.1 403 ");
    try (SqsClient client = LocalAccount.sqs(server)) {
      assertThat(client.listQueues().queueUrls()).isEmpty();
    }
  }

  @Test
  void aRefusedRequestLeavesTheConnectionInOrder() throws IOException {
    URI server = queues.endpoint();
    String refused =
        "POST / HTTP/1.1\r\nHost: attacker.example\r\nContent-Length: 18\r\n\r\nAction=ListQueues ";
    String own =
        "GET /health HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n"
            .formatted(own(server, "localhost"));
    String answers = exchange(server, refused + own + own);
    assertThat(answers).startsWith("HTTP/1.1 403 ").contains("HTTP/1.1 200 ");
  }

  @Test
  void aRefusalOfTheApiIsAProblemDocument() throws IOException {
    URI server = gateway.address();
    assertThat(post(server, "{}", own(server, "localhost"), JSON, "Origin: http://a.example"))
        .contains("application/problem+json")
        .contains("urn:carillon:problem:forbidden")
        .contains("http://a.example");
  }

  @Test
  void aBodyWithoutContentTypeIsRefused() throws IOException {
    URI server = gateway.address();
    assertThat(post(server, "{}", own(server, "localhost")))
        .startsWith("HTTP/1.1 415 ")
        .contains("urn:carillon:problem:unsupported-media-type");
    assertThat(post(server, "", own(server, "localhost"))).startsWith("HTTP/1.1 201 ");
    assertThat(post(server, "{}", own(server, "localhost"), JSON)).startsWith("HTTP/1.1 201 ");
  }

  private List<URI> servers() {
    return List.of(gateway.address(), database.endpoint(), queues.endpoint());
  }

  private static String own(URI server, String name) {
    return "Host: " + name + ":" + server.getPort();
  }

  private static String post(URI server, String body, String... headers) throws IOException {
    return exchange(
        server,
        "POST /v1/things HTTP/1.1\r\n%s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(String.join("\r\n", headers), body.length(), body));
  }

  /** Sends the request as it is; HTTP clients set the header Host themselves. */
  private static String exchange(URI server, String request) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
