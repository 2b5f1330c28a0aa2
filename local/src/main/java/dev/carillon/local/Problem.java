package dev.carillon.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Problem documents (RFC 9457) for requests that do not reach a function. */
final class Problem {

  private Problem() {}

  static void write(Response response, Callback callback, int status, String detail) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    ObjectNode problem =
        Json.object()
            .put("type", "urn:carillon:problem:" + type(status))
            .put("title", title(status))
            .put("status", status)
            .put("detail", detail);
    problem.putArray("errors");
    String document = Json.write(problem);
    Content.Sink.write(response, true, document, callback);
  }

  private static String type(int status) {
    return switch (status) {
      case HttpStatus.FORBIDDEN_403 -> "forbidden";
      case HttpStatus.NOT_FOUND_404 -> "unknown-route";
      case HttpStatus.METHOD_NOT_ALLOWED_405 -> "method-not-allowed";
      case HttpStatus.PAYLOAD_TOO_LARGE_413 -> "body-too-large";
      case HttpStatus.UNSUPPORTED_MEDIA_TYPE_415 -> "unsupported-media-type";
      default ->
          status < HttpStatus.INTERNAL_SERVER_ERROR_500 ? "invalid-request" : "gateway-error";
    };
  }

  private static String title(int status) {
    return switch (status) {
      case HttpStatus.FORBIDDEN_403 -> "The caller is not allowed to do this";
      case HttpStatus.NOT_FOUND_404 -> "The API has no such route";
      case HttpStatus.METHOD_NOT_ALLOWED_405 -> "The route does not take this method";
      case HttpStatus.PAYLOAD_TOO_LARGE_413 -> "The body is too large";
      case HttpStatus.UNSUPPORTED_MEDIA_TYPE_415 -> "The body is not JSON in UTF-8";
      default ->
          status < HttpStatus.INTERNAL_SERVER_ERROR_500
              ? "The request is invalid"
              : "API Gateway failed, or the function broke off";
    };
  }
}
