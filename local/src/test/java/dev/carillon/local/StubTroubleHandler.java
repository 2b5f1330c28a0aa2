package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.crac.Core;
import org.crac.Resource;

/**
 * Acts on the body: "hang", "pause", "exit", "throw" or "fill" the memory. For any other body it
 * returns the id of its process and the calls of SnapStart's hooks.
 */
public final class StubTroubleHandler
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent>, Resource {

  private static final long PAUSE_MILLIS = 2_000;

  private String hooks = "";

  public StubTroubleHandler() {
    if (System.getenv("TROUBLE") != null) {
      throw new IllegalStateException("instructed to fail");
    }
    Core.getGlobalContext().register(this);
  }

  @Override
  public void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
    hooks += " checkpoint";
  }

  @Override
  public void afterRestore(org.crac.Context<? extends Resource> context) {
    hooks += " restore";
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, Context context) {
    switch (event.getBody()) {
      case "hang" -> await(Long.MAX_VALUE);
      case "pause" -> await(PAUSE_MILLIS);
      case "exit" -> Runtime.getRuntime().halt(3);
      case "throw" -> throw new IllegalStateException("instructed to throw");
      case "fill" -> System.out.println(new long[1 << 30].length);
      default -> {}
    }
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(200)
        .withBody(ProcessHandle.current().pid() + hooks);
  }

  private static void await(long millis) {
    try {
      new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
