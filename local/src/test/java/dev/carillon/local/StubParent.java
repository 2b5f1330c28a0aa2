package dev.carillon.local;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A JVM with two isolated functions of one process each: at the kill one is idle and one is
 * running.
 */
final class StubParent {

  private StubParent() {}

  public static void main(String[] arguments) {
    IsolatedFunction resting = start(Path.of(arguments[0]));
    IsolatedFunction working = start(Path.of(arguments[0]));
    resting.awaitReady();
    working.awaitReady();
    System.out.println("ready");
    while (true) {
      working.invoke(
          new APIGatewayProxyRequestEvent().withBody("pause"), APIGatewayProxyResponseEvent.class);
    }
  }

  private static IsolatedFunction start(Path artifact) {
    return IsolatedFunction.start(
        RuntimeClient.ofThisEngine(),
        new SamTemplate.Function(
            "Trouble",
            StubTroubleHandler.class.getName(),
            artifact,
            false,
            Duration.ofSeconds(60),
            128,
            Map.of(),
            List.of()),
        Map.of());
  }
}
