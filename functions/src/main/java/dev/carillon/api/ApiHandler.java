package dev.carillon.api;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.carillon.Carillon;

/** Invoked by API Gateway. */
public final class ApiHandler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

  private final Carillon carillon;

  public ApiHandler() {
    this(Carillon.of(System.getenv()));
  }

  public ApiHandler(Carillon carillon) {
    this.carillon = carillon;
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent request, Context context) {
    return carillon.api().handle(request);
  }
}
