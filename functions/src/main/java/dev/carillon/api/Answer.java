package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Json;
import java.util.Map;
import java.util.TreeMap;

/** Builds the HTTP responses. */
final class Answer {

  private static final String CONTENT_TYPE = "Content-Type";

  private Answer() {}

  static APIGatewayProxyResponseEvent of(int status, JsonNode body) {
    return of(status, body, Map.of());
  }

  static APIGatewayProxyResponseEvent of(int status, JsonNode body, Map<String, String> headers) {
    return response(status, body, "application/json", headers);
  }

  static APIGatewayProxyResponseEvent schema(JsonNode body) {
    return response(200, body, "application/schema+json", Map.of());
  }

  static APIGatewayProxyResponseEvent empty(int status) {
    return empty(status, Map.of());
  }

  static APIGatewayProxyResponseEvent empty(int status, Map<String, String> headers) {
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(status)
        .withHeaders(headers)
        .withBody("")
        .withIsBase64Encoded(false);
  }

  /** A problem document (RFC 9457). */
  static APIGatewayProxyResponseEvent of(Problem problem) {
    ObjectNode body =
        Json.object()
            .put("type", problem.type())
            .put("title", problem.title())
            .put("status", problem.status())
            .put("detail", problem.detail());
    ArrayNode errors = body.putArray("errors");
    problem
        .faults()
        .forEach(
            fault ->
                errors.addObject().put("pointer", fault.pointer()).put("detail", fault.detail()));
    return response(problem.status(), body, "application/problem+json", problem.headers());
  }

  private static APIGatewayProxyResponseEvent response(
      int status, JsonNode body, String type, Map<String, String> headers) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put(CONTENT_TYPE, type);
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(status)
        .withHeaders(all)
        .withBody(Json.write(body))
        .withIsBase64Encoded(false);
  }
}
