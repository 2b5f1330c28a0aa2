package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.client.Exchange.Request;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests whose answer does not come, or not completely. */
@Timeout(60)
class ConcurrentExchangeTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  private final CountDownLatch begun = new CountDownLatch(1);

  /** Opens when the client has closed its connection. */
  private final CountDownLatch closed = new CountDownLatch(1);

  private final ConcurrentExchange exchange = new ConcurrentExchange();
  private ServerSocket server;
  private URI uri;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
    Thread thread = new Thread(this::stall, "stalling-server");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** Answers headers that announce a body, and no body. */
  private void stall() {
    try (Socket caller = server.accept()) {
      byte[] request = new byte[10_000];
      int length = caller.getInputStream().read(request);
      String headers = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";
      caller.getOutputStream().write(headers.getBytes(StandardCharsets.US_ASCII));
      begun.countDown();
      while (length >= 0) {
        length = caller.getInputStream().read(request);
      }
    } catch (IOException reset) {
      // This is another end of the connection.
    }
    closed.countDown();
  }

  private RawAnswer send(Duration longest) throws IOException, InterruptedException {
    return send(uri, longest);
  }

  private RawAnswer send(URI to, Duration longest) throws IOException, InterruptedException {
    return exchange.send(new Request("GET", to, Map.of(), null, longest));
  }

  @Test
  void aBodyThatDoesNotComeIsATimeOut() throws InterruptedException {
    assertThatThrownBy(() -> send(Duration.ofSeconds(1)))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessage("request timed out");
    closed.await();
  }

  @Test
  void aHeartbeatWhoseAnswerStallsIsUnreachable() {
    Runs runs = CarillonClient.local(uri).namespace("team").runs();
    assertThatThrownBy(() -> runs.heartbeat("j", "t", null, Map.of(), Duration.ofSeconds(1)))
        .isInstanceOf(CarillonException.Unreachable.class)
        .hasCauseInstanceOf(HttpTimeoutException.class);
  }

  @Test
  void anInterruptEndsTheWaiting() throws InterruptedException {
    Thread sender = Thread.currentThread();
    new Thread(() -> interruptOnceBegun(sender), "interrupter").start();
    assertThatThrownBy(() -> send(LONG)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    closed.await();
  }

  private void interruptOnceBegun(Thread sender) {
    try {
      begun.await();
      sender.interrupt();
    } catch (InterruptedException unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  @Test
  void aServerThatRefusesConnectionsIsNamedAsSuch() throws IOException {
    // A socket that never listens. A closed server may still accept one connection.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI refusing = URI.create("http://127.0.0.1:" + bound.getLocalPort());
      assertThatThrownBy(() -> send(refusing, LONG)).isInstanceOf(ConnectException.class);
    }
  }
}
