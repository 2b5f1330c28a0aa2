package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.client.Exchange.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlainExchangeTest {

  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Stub stub = new Stub();
  private final PlainExchange exchange = new PlainExchange();

  @AfterEach
  void close() {
    stub.close();
  }

  private RawAnswer send(String method, URI uri, @Nullable String body) throws IOException {
    byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
    return exchange.send(
        new Request(method, uri, Map.of("Idempotency-Key", List.of("k")), bytes, LONGEST));
  }

  @Test
  void aRequestIsSentAsItIsGiven() throws IOException {
    stub.answers(200, "{\"a\": \"é\"}", Map.of("Retry-After", "7"));
    RawAnswer answer = send("PUT", stub.uri().resolve("/v1/a%20b?limit=1&next=x%2F"), "é");

    assertThat(stub.request.method()).isEqualTo("PUT");
    assertThat(stub.request.path()).isEqualTo("/v1/a%20b");
    assertThat(stub.request.query()).isEqualTo("limit=1&next=x%2F");
    assertThat(stub.body()).isEqualTo("é");
    assertThat(stub.request.headers())
        .containsEntry("idempotency-key", "k")
        .containsEntry("content-length", "2")
        .containsEntry("host", stub.uri().getRawAuthority());
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo("{\"a\": \"é\"}");
    assertThat(answer.header("retry-after")).contains("7");
  }

  @Test
  void aRequestWithoutABodySaysThatItHasNone() throws IOException {
    stub.answers(200, "").answers(200, "{}");
    assertThat(send("POST", stub.uri().resolve("/v1/x"), null).body()).isEmpty();
    assertThat(stub.request.headers()).containsEntry("content-length", "0");
    send("GET", stub.uri().resolve("/v1/x"), null);
    assertThat(stub.request.headers()).doesNotContainKey("content-length");
  }

  @Test
  void anAnswerCanHaveNoBodyOrBeARefusal() throws IOException {
    stub.answers(204, "").answers(401, "no").answers(503, "busy");
    assertThat(send("DELETE", stub.uri(), null).status()).isEqualTo(204);
    assertThat(send("POST", stub.uri(), "x").text()).isEqualTo("no");
    assertThat(send("GET", stub.uri(), null).status()).isEqualTo(503);
  }

  @Test
  void aServerThatDoesNotAnswerInTimeIsUnreachable() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/v1/status");
      Request request = new Request("GET", uri, Map.of(), null, Duration.ofMillis(50));
      assertThatThrownBy(() -> exchange.send(request)).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void anAnswerThatIsNotHttpIsUnintelligible() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> greet(other));
      server.start();
      URI uri = URI.create("http://127.0.0.1:" + other.getLocalPort() + "/v1/status");
      assertThatThrownBy(() -> send("GET", uri, null)).isInstanceOf(IOException.class);
      server.join();
    }
  }

  private static void greet(ServerSocket other) {
    try (Socket caller = other.accept()) {
      caller.getInputStream().read();
      caller.getOutputStream().write("220 ready\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      // The caller gives up.
    }
  }

  @Test
  void aRehearsalReachesNoServer() throws IOException {
    Request request = new Request("GET", stub.uri(), Map.of(), null, LONGEST);
    RawAnswer answer =
        PlainExchange.rehearse(request, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
    assertThat(answer.text()).isEqualTo("{}");
    CarillonClient.loadForFewCalls();
    assertThat(stub.request).isNull();
  }
}
