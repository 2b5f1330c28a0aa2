package dev.carillon.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends each request without TLS, over a connection of its own. It starts faster than the clients
 * of the JDK, because it needs no threads and looks up no loggers, proxies or cookies.
 */
final class PlainExchange implements Exchange {

  private static final byte[] NOTHING = {};
  private static final int USUAL_PORT = 80;

  PlainExchange() {}

  @Override
  public RawAnswer send(Request request) throws IOException {
    URI uri = request.uri();
    int port = uri.getPort() < 0 ? USUAL_PORT : uri.getPort();
    try (Socket socket = new Socket(Proxy.NO_PROXY)) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), (int) LONGEST_CONNECT.toMillis());
      return send(request, socket);
    }
  }

  private static RawAnswer send(Request request, Socket socket) throws IOException {
    try (HttpClientConnection connection =
        DefaultBHttpClientConnectionFactory.builder().build().createConnection(socket)) {
      connection.setSocketTimeout(Timeout.of(request.longest().toMillis(), TimeUnit.MILLISECONDS));
      return answer(
          new HttpRequestExecutor()
              .execute(message(request), connection, HttpCoreContext.create()));
    } catch (HttpException strange) {
      throw new IOException("the answer of " + request.uri() + " is not HTTP", strange);
    }
  }

  /** The answer to a request that reaches no server. */
  static RawAnswer rehearse(Request request, String answer) throws IOException {
    try (Socket socket = new Stage(answer)) {
      return send(request, socket);
    }
  }

  /** A socket without a peer, from which a fixed answer is read. */
  private static final class Stage extends Socket {

    private final InputStream answer;

    Stage(String answer) {
      super(Proxy.NO_PROXY);
      this.answer = new ByteArrayInputStream(answer.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public InputStream getInputStream() {
      return answer;
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }
  }

  private static ClassicHttpRequest message(Request request) {
    URI uri = request.uri();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    ClassicHttpRequest message =
        new BasicClassicHttpRequest(request.method(), uri.getRawPath() + query);
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    message.setHeader(HttpHeaders.HOST, uri.getHost() + port);
    message.setHeader(HttpHeaders.CONNECTION, "close");
    request
        .headers()
        .forEach((name, values) -> values.forEach(value -> message.addHeader(name, value)));
    if (!request.method().equals("GET")) {
      byte[] body = request.body() == null ? NOTHING : request.body();
      message.setHeader(HttpHeaders.CONTENT_LENGTH, body.length);
      message.setEntity(new ByteArrayEntity(body, null));
    }
    return message;
  }

  private static RawAnswer answer(ClassicHttpResponse answer) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>();
    for (Header header : answer.getHeaders()) {
      headers.computeIfAbsent(header.getName(), any -> new ArrayList<>()).add(header.getValue());
    }
    HttpEntity entity = answer.getEntity();
    byte[] body = entity == null ? NOTHING : EntityUtils.toByteArray(entity);
    return new RawAnswer(answer.getCode(), headers, body);
  }
}
