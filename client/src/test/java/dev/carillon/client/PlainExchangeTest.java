package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client of programs that make few calls. */
@Timeout(60)
class PlainExchangeTest {

  private static final List<String> PATH = List.of("v1", "namespaces", "a", "schedules", "b");

  @Test
  void aRequestArrivesWithItsHeadersAndBody() {
    try (Stub stub = new Stub().answers(200, "{\"größe\": 1}", Map.of("ETag", "7"))) {
      byte[] body = "{\"ä\": 2}".getBytes(StandardCharsets.UTF_8);
      RawAnswer answer =
          CarillonClient.localForFewCalls(stub.uri())
              .send(
                  new RawRequest(
                      "PUT", PATH, Map.of("dryRun", "true"), Map.of("If-Match", "6"), body));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.text()).isEqualTo("{\"größe\": 1}");
      assertThat(answer.header("etag")).contains("7");
      assertThat(stub.request.method()).isEqualTo("PUT");
      assertThat(stub.request.path()).isEqualTo("/v1/namespaces/a/schedules/b");
      assertThat(stub.request.query()).isEqualTo("dryRun=true");
      assertThat(stub.request.headers()).containsEntry("if-match", "6");
      assertThat(stub.request.body()).isEqualTo(body);
    }
  }

  @Test
  void aRefusalIsAnAnswer() {
    try (Stub stub = new Stub().answers(401, "{\"message\": \"Unauthorized\"}")) {
      assertThatThrownBy(() -> CarillonClient.localForFewCalls(stub.uri()).status())
          .isInstanceOf(CarillonException.Denied.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}",
        "HTTP/1.1 OK\r\n\r\n{}",
        "SSH-2.0 200\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
      })
  void whatIsNoWholeAnswerIsNone(String text) throws IOException {
    assertThatThrownBy(() -> status(text)).isInstanceOf(CarillonException.Unreachable.class);
  }

  @Test
  void anAnswerEndsWithItsConnection() throws IOException {
    assertThat(status("HTTP/1.0 200\r\n\r\n{\"lagSeconds\": 1}")).isNotNull();
  }

  /** The status that a server answers with a text, whatever it is asked. */
  private static Status status(String text) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answered =
          CompletableFuture.runAsync(
              () -> {
                try (Socket socket = server.accept()) {
                  String asked = "";
                  while (!asked.endsWith("\r\n\r\n")) {
                    asked += (char) socket.getInputStream().read();
                  }
                  socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                } catch (IOException fault) {
                  throw new CompletionException(fault);
                }
              });
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
      try {
        return CarillonClient.localForFewCalls(uri).status();
      } finally {
        answered.join();
      }
    }
  }

  @Test
  void aHeaderCannotBringOthers() {
    try (Stub stub = new Stub().answers(200, "{}")) {
      RawRequest forged =
          new RawRequest(
              "GET", PATH, Map.of(), Map.of("If-Match", "1\r\nHost: other"), new byte[0]);
      assertThatThrownBy(() -> CarillonClient.localForFewCalls(stub.uri()).send(forged))
          .isInstanceOf(CarillonException.Unreachable.class);
      assertThat(stub.request).isNull();
    }
  }
}
