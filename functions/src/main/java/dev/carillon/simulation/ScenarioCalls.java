package dev.carillon.simulation;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.api.Api;
import dev.carillon.document.Json;
import dev.carillon.id.CalendarId;
import dev.carillon.id.PoolId;
import dev.carillon.id.ScheduleId;
import dev.carillon.simulation.Scenario.ResourceId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls the API as the steps of a scenario say. */
record ScenarioCalls(Api api) {

  /** Calls the API for a schedule. */
  APIGatewayProxyResponseEvent call(String method, ScheduleId id, String rest, String body) {
    String resource = "/v1/namespaces/{ns}/schedules/{name}" + rest;
    return call(method, resource, id.namespace(), id.name(), body);
  }

  /** Calls the API for a pool. */
  APIGatewayProxyResponseEvent call(String method, PoolId id, String body) {
    String resource = "/v1/namespaces/{ns}/pools/{pool}";
    Map<String, String> path = Map.of("ns", id.namespace(), "pool", id.name());
    return call(method, resource, path, body);
  }

  /** Calls the API for a calendar. */
  APIGatewayProxyResponseEvent call(String method, CalendarId id, String body) {
    String resource = "/v1/namespaces/{ns}/calendars/{name}";
    return call(method, resource, id.namespace(), id.name(), body);
  }

  /**
   * Reports or deletes the gauge of a resource.
   *
   * @param gauge the new value; null deletes the gauge
   */
  APIGatewayProxyResponseEvent report(ResourceId id, @Nullable ObjectNode gauge) {
    String method = gauge == null ? "DELETE" : "PUT";
    String body = gauge == null ? "" : Json.write(gauge);
    String resource = "/v1/namespaces/{ns}/resources/{name}";
    return call(method, resource, id.namespace(), id.name(), body);
  }

  private APIGatewayProxyResponseEvent call(
      String method, String resource, String namespace, String name, String body) {
    return call(method, resource, Map.of("ns", namespace, "name", name), body);
  }

  private APIGatewayProxyResponseEvent call(
      String method, String resource, Map<String, String> path, String body) {
    return api.handle(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withResource(resource)
            .withPathParameters(path)
            .withHeaders(Map.of())
            .withBody(body));
  }
}
