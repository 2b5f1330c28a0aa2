package dev.carillon.lambda;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.api.Api;
import dev.carillon.runtime.Deadline;
import java.util.Map;

/** The function that API Gateway invokes. */
public final class ApiHandler
    extends FunctionHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

  private final Api api;

  public ApiHandler() {
    this(Carillon.of(System.getenv()));
  }

  public ApiHandler(Carillon carillon) {
    super(carillon);
    this.api = carillon.api();
  }

  @Override
  protected APIGatewayProxyResponseEvent handle(
      APIGatewayProxyRequestEvent request, Deadline deadline) {
    return api.handle(request);
  }

  /** Handles requests that only read, and creates a schedule offline. */
  @Override
  protected void prime(Carillon offline, Deadline deadline) {
    offline.api().handle(creation());
    handle(request("GET", "/v1/status"), deadline);
    handle(
        request("POST", "/v1/preview")
            .withBody(
                """
                {"schedule": {"trigger": {"type": "cron", "expression": "0 0 3 * * ?"},
                 "target": {"queue": "q", "template": {"at": "${scheduledFor}"}}}}
                """),
        deadline);
  }

  private static APIGatewayProxyRequestEvent request(String method, String resource) {
    return new APIGatewayProxyRequestEvent().withHttpMethod(method).withResource(resource);
  }

  /** A request that creates a schedule. */
  static APIGatewayProxyRequestEvent creation() {
    return request("PUT", "/v1/namespaces/{ns}/schedules/{name}")
        .withHeaders(Map.of("Content-Type", "application/json"))
        .withPathParameters(Map.of("ns", "default", "name", "priming"))
        .withBody(
            """
            {"trigger": {"type": "rate", "every": "P1D"}, "state": "ACTIVE",
             "target": {"queue": "q", "template": {"at": "${scheduledFor}"}}}
            """);
  }
}
