package dev.carillon.bench.coldstart;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bare function on DynamoDB and SQS, which does almost nothing. There is one handler per kind
 * of event.
 *
 * <p>Without further configuration, it makes one call with a client of DynamoDB and one with a
 * client of SQS. With the variable {@value #REQUESTS} it makes the requests that the variable
 * names, and is primed for them.
 */
abstract class BareHandler {

  static final String REQUESTS = "BARE_REQUESTS";

  private final Runnable event = forEvent(System.getenv(REQUESTS));

  private static Runnable forEvent(@Nullable String requests) {
    return requests == null ? new TwoRequests() : new BareRequests(requests);
  }

  final void makeRequests() {
    event.run();
  }

  /** Handles SQS messages. */
  public static final class OfQueue extends BareHandler
      implements RequestHandler<SQSEvent, SQSBatchResponse> {

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      makeRequests();
      return new SQSBatchResponse(List.of());
    }
  }

  /** Handles HTTP requests. */
  public static final class OfApi extends BareHandler
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      makeRequests();
      return new APIGatewayProxyResponseEvent().withStatusCode(200).withBody("{}");
    }
  }

  /** Handles any event. */
  public static final class OfAnything extends BareHandler
      implements RequestHandler<Object, @Nullable Void> {

    @Override
    public @Nullable Void handleRequest(Object event, Context context) {
      makeRequests();
      return null;
    }
  }
}
