package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.List;
import java.util.Map;

/** Answers 201 with the request's body; fails for {@code /v1/fail}. */
public final class StubApiHandler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

  private final StubRoot root;

  public StubApiHandler() {
    this(StubRoot.of(System.getenv()));
  }

  public StubApiHandler(StubRoot root) {
    this.root = root;
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, Context context) {
    root.record(event);
    if (event.getResource().equals("/v1/fail")) {
      throw new IllegalStateException("instructed to throw");
    }
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(event.getResource().equals("/v1/status") ? 200 : 201)
        .withHeaders(Map.of("ETag", "\"1\""))
        .withMultiValueHeaders(Map.of("X-Many", List.of("a", "b")))
        .withBody(event.getBody());
  }
}
