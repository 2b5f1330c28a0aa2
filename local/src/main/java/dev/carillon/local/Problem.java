package dev.carillon.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Problem documents (RFC 9457) for what never reaches a function. */
final class Problem {

  private Problem() {}

  static void write(Response response, Callback callback, int status, String detail) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    ObjectNode problem =
        Json.object()
            .put("type", "about:blank")
            .put("title", HttpStatus.getMessage(status))
            .put("status", status)
            .put("detail", detail);
    problem.putArray("errors");
    String document = Json.write(problem);
    Content.Sink.write(response, true, document, callback);
  }
}
