package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.Tracking;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tracked documents, and requests about attempts, in the form in which users write them. */
final class RunBodies {

  /** The field of a request's body that says that its run is tracked. */
  static final String TRACKED = "tracked";

  private RunBodies() {}

  static String document(@Nullable Tracking tracking) {
    return tracking == null
        ? ""
        : """
           "tracking": {"enqueueTimeout": "%s", "claimTimeout": "%s",
             "heartbeatTimeout": "%s", "runTimeout": "%s"},
           "retry": {"maxAttempts": %d, "backoff": "%s", "rate": %d, "maxBackoff": "%s"},"""
            .formatted(
                text(tracking.enqueue()),
                text(tracking.claim()),
                text(tracking.heartbeat()),
                text(tracking.run()),
                tracking.attempts(),
                text(tracking.backoff()),
                tracking.rate(),
                text(tracking.mostBackoff()));
  }

  private static Duration text(long millis) {
    return Duration.ofMillis(millis);
  }

  static APIGatewayProxyRequestEvent claim(String job, int attempt, String worker) {
    String body = "{\"worker\": \"%s\", \"attempt\": %d}".formatted(worker, attempt);
    return request(job, RunCall.Kind.CLAIM, body);
  }

  static APIGatewayProxyRequestEvent report(
      String job, RunCall.Kind kind, String token, boolean isFinal) {
    String more =
        switch (kind) {
          case HEARTBEAT -> "\"progress\": 1";
          case SUCCEED -> "\"output\": {\"rows\": 1}";
          default -> "\"error\": \"broken\", \"retriable\": " + !isFinal;
        };
    return request(job, kind, "{\"claimToken\": \"%s\", %s}".formatted(token, more));
  }

  static APIGatewayProxyRequestEvent request(String job, RunCall.Kind kind) {
    return request(job, kind, "{}");
  }

  private static APIGatewayProxyRequestEvent request(String job, RunCall.Kind kind, String body) {
    String action = "/" + kind.name().toLowerCase(Locale.ROOT);
    return RequestBodies.request(
        "POST", "/v1/namespaces/{ns}/jobs/{id}" + action, Map.of("ns", "default", "id", job), body);
  }
}
