package dev.carillon.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends each request by HTTP/1.0 on a connection of its own, at whose end the answer ends. The
 * clients of the JDK take several times as long to start, as they look up loggers, proxies, caches
 * and cookies. Without TLS.
 */
final class PlainExchange implements Exchange {

  private static final int DEFAULT_PORT = 80;
  private static final int STATUS_LENGTH = 3;
  private static final byte[] NOTHING = {};

  PlainExchange() {}

  @Override
  @SuppressWarnings("AddressSelection") // the first address of a name, as the JDK's clients take it
  public RawAnswer send(Request request) throws IOException {
    URI uri = request.uri();
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(uri.getHost(), port), (int) LONGEST_CONNECT.toMillis());
      socket.setSoTimeout((int) request.longest().toMillis());
      OutputStream out = socket.getOutputStream();
      out.write(message(request));
      out.flush();
      RawAnswer answer = answer(socket.getInputStream().readAllBytes());
      check(answer, request.method());
      return answer;
    }
  }

  private static byte[] message(Request request) throws IOException {
    URI uri = request.uri();
    byte[] body = request.body() == null ? NOTHING : request.body();
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    StringBuilder head = new StringBuilder();
    line(head, request.method() + " " + path + query + " HTTP/1.0");
    line(head, "Host: " + uri.getRawAuthority());
    line(head, "Connection: close");
    for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
      for (String value : header.getValue()) {
        line(head, header.getKey() + ": " + value);
      }
    }
    if (!request.method().equals("GET")) {
      line(head, "Content-Length: " + body.length);
    }
    line(head, "");
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(head.toString().getBytes(StandardCharsets.UTF_8));
    message.write(body);
    return message.toByteArray();
  }

  private static void line(StringBuilder head, String line) throws IOException {
    if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0) {
      throw new ProtocolException("a header has a line break");
    }
    head.append(line).append("\r\n");
  }

  private static RawAnswer answer(byte[] bytes) throws IOException {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new EOFException("the connection ended before the answer");
    }
    List<String> lines = lines(text.substring(0, end));
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers
            .computeIfAbsent(line.substring(0, colon).strip(), it -> new ArrayList<>())
            .add(line.substring(colon + 1).strip());
      }
    }
    byte[] body = Arrays.copyOfRange(bytes, end + "\r\n\r\n".length(), bytes.length);
    return new RawAnswer(status(lines.get(0)), headers, body);
  }

  private static List<String> lines(String head) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = head.indexOf("\r\n"); end >= 0; end = head.indexOf("\r\n", from)) {
      lines.add(head.substring(from, end));
      from = end + 2;
    }
    lines.add(head.substring(from));
    return lines;
  }

  /** The status of a line like {@code HTTP/1.1 200 OK}. */
  private static int status(String line) throws IOException {
    int from = line.indexOf(' ') + 1;
    int to = from + STATUS_LENGTH;
    boolean isHttp = line.startsWith("HTTP/1.") && from > 0 && to <= line.length();
    if (!isHttp || !line.substring(from, to).matches("[1-9][0-9]{2}")) {
      throw new ProtocolException("the answer is not HTTP");
    }
    return Integer.parseInt(line.substring(from, to));
  }

  private static void check(RawAnswer answer, String method) throws IOException {
    if (answer.header("Transfer-Encoding").isPresent()) {
      throw new ProtocolException("the answer is encoded, which HTTP/1.0 does not have");
    }
    String whole = String.valueOf(answer.body().length);
    if (!method.equals("HEAD") && !answer.header("Content-Length").orElse(whole).equals(whole)) {
      throw new EOFException("the answer was cut off");
    }
  }
}
