package dev.carillon.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpRetryException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Sends by the old client of the JDK, which starts several times sooner than the new one: without
 * threads of its own, and without the classes of TLS.
 */
final class PlainExchange implements Exchange {

  PlainExchange() {}

  @Override
  public Answer send(Request request) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) request.uri().toURL().openConnection();
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout((int) LONGEST_CONNECT.toMillis());
    connection.setReadTimeout((int) request.longest().toMillis());
    connection.setRequestMethod(request.method());
    request
        .headers()
        .forEach((name, values) -> values.forEach(it -> connection.addRequestProperty(name, it)));
    if (!request.method().equals("GET")) {
      write(request, connection);
    }
    return answer(connection);
  }

  /** A body of a fixed length is never sent twice, as the JDK otherwise does. */
  private static void write(Request request, HttpURLConnection connection) throws IOException {
    String text = request.body() == null ? "" : request.body();
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(body.length);
    connection.getOutputStream().write(body);
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
    int status;
    try {
      status = connection.getResponseCode();
    } catch (HttpRetryException unauthorized) {
      return new Answer(unauthorized.responseCode(), Optional.empty(), Optional.empty(), "");
    }
    try (InputStream body =
        status < Transport.FIRST_ERROR
            ? connection.getInputStream()
            : connection.getErrorStream()) {
      return new Answer(
          status,
          Optional.ofNullable(connection.getHeaderField("Date")),
          Optional.ofNullable(connection.getHeaderField("Retry-After")),
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
