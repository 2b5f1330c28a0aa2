package dev.carillon.cli.console;

import com.sun.net.httpserver.HttpExchange;
import dev.carillon.client.schedule.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An answer to the browser. */
@SuppressWarnings("ArrayRecordComponent") // replies are never compared
record Reply(int status, Map<String, String> headers, byte[] body) {

  /** An answer of the API is data, not a page: a browser must neither run nor frame it. */
  private static final Map<String, String> SAFE =
      Map.of(
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "no-referrer",
          "Cache-Control", "no-store");

  /** A problem document, which the page shows. */
  static Reply problem(int status, String title, String detail) {
    byte[] body =
        Json.write(
                Json.object()
                    .put("type", "about:blank")
                    .put("title", title)
                    .put("status", status)
                    .put("detail", detail))
            .getBytes(StandardCharsets.UTF_8);
    return new Reply(status, Map.of("Content-Type", "application/problem+json"), body);
  }

  void send(HttpExchange exchange) throws IOException {
    SAFE.forEach(exchange.getResponseHeaders()::set);
    headers.forEach(exchange.getResponseHeaders()::set);
    boolean isEmpty = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isEmpty ? -1 : body.length);
    if (!isEmpty) {
      exchange.getResponseBody().write(body);
    }
  }
}
