package dev.carillon.campaign.system;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.carillon.campaign.judge.RunCall;
import dev.carillon.campaign.judge.Tracking;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tracked documents, and requests about attempts, in the form in which users write them. */
final class RunBodies {

  /** The field of a request's body that shows whether its run is tracked. */
  static final String TRACKED = "tracked";

  private RunBodies() {}

  static String document(@Nullable Tracking tracking) {
    return tracking == null
        ? ""
        : """
        %s"tracking": {"enqueueTimeout": "%s", "claimTimeout": "%s",
          "heartbeatTimeout": "%s", "runTimeout": "%s"},
        "retry": {"maxAttempts": %d, "backoff": "%s", "rate": %d, "maxBackoff": "%s"},\
        """
            .formatted(
                operations(tracking),
                text(tracking.enqueue()),
                text(tracking.claim()),
                text(tracking.heartbeat()),
                text(tracking.run()),
                tracking.attempts(),
                text(tracking.backoff()),
                tracking.rate(),
                text(tracking.mostBackoff()));
  }

  /** The operations of a document. Each operation except the first begins after the first. */
  private static String operations(Tracking tracking) {
    List<String> ids = tracking.operationIds();
    return ids.isEmpty()
        ? ""
        : ids.stream()
            .map(id -> operation(id, id.equals(ids.get(0)) ? "" : "\"" + ids.get(0) + "\""))
            .collect(Collectors.joining(", ", "\"operations\": [", "], "));
  }

  private static String operation(String id, String after) {
    return "{\"id\": \"%s\", \"after\": [%s]}".formatted(id, after);
  }

  private static Duration text(long millis) {
    return Duration.ofMillis(millis);
  }

  static APIGatewayProxyRequestEvent claim(String job, int attempt, String worker) {
    String body = "{\"worker\": \"%s\", \"attempt\": %d}".formatted(worker, attempt);
    return request(job, RunCall.Kind.CLAIM, body);
  }

  static APIGatewayProxyRequestEvent report(
      String job,
      RunCall.Kind kind,
      String token,
      boolean isFinal,
      Map<String, String> operations) {
    return request(
        job,
        kind,
        "{\"claimToken\": \"%s\", %s}".formatted(token, members(kind, isFinal, operations, 1)));
  }

  /**
   * A report as a message of the report queue.
   *
   * @param number makes the message differ from all others
   */
  static String message(
      String job,
      RunCall.Kind kind,
      String token,
      boolean isFinal,
      Map<String, String> operations,
      int number) {
    return "{\"report\": \"%s\", \"namespace\": \"default\", \"jobId\": \"%s\", \"claimToken\": \"%s\", %s}"
        .formatted(
            kind.name().toLowerCase(Locale.ROOT),
            job,
            token,
            members(kind, isFinal, operations, number));
  }

  private static String members(
      RunCall.Kind kind, boolean isFinal, Map<String, String> operations, int number) {
    return switch (kind) {
      case HEARTBEAT -> "\"progress\": " + number + states(operations);
      case SUCCEED -> "\"output\": {\"rows\": " + number + "}";
      default ->
          "\"error\": \"broken"
              + (number > 1 ? " " + number : "")
              + "\", \"retriable\": "
              + !isFinal;
    };
  }

  private static String states(Map<String, String> operations) {
    return operations.isEmpty()
        ? ""
        : operations.entrySet().stream()
            .map(one -> "\"%s\": \"%s\"".formatted(one.getKey(), one.getValue()))
            .collect(Collectors.joining(", ", ", \"operations\": {", "}"));
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
