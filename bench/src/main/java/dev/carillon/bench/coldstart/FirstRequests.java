package dev.carillon.bench.coldstart;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.checker.CheckMessages.Message;
import dev.carillon.document.Json;
import dev.carillon.ingest.Ingest.Received;
import dev.carillon.lambda.Carillon;
import dev.carillon.local.LocalAccount;
import dev.carillon.report.ReportMessages;
import dev.carillon.runtime.Deadline;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Determines which requests a function makes for its first event. */
final class FirstRequests {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  private FirstRequests() {}

  /**
   * Handles two events, each by a newly built instance of the function. It returns the requests of
   * the second event, because the first finds empty tables.
   *
   * @return the requests in the form of {@link BareRequests}
   */
  static String of(String function, FirstEvents events, Map<String, String> environment) {
    String unused = record(function, events.of(function), environment);
    return record(function, events.of(function), environment);
  }

  private static String record(String function, String event, Map<String, String> environment) {
    RequestRecorder recorder = new RequestRecorder();
    Map<String, String> variables = new HashMap<>(environment);
    // On Lambda, the API creates no queues for targets either.
    variables.remove("CREATE_TARGET_QUEUES");
    DynamoDbClient dynamoDb =
        LocalAccount.dynamoDb(endpoint(variables, "AWS_ENDPOINT_URL_DYNAMODB"), recorder);
    SqsClient sqs = LocalAccount.sqs(endpoint(variables, "AWS_ENDPOINT_URL_SQS"), recorder);
    try (Carillon carillon = Carillon.of(variables, dynamoDb, sqs, Clock.systemUTC())) {
      handle(carillon, function, Json.readObject(event));
    }
    return recorder.requests();
  }

  private static URI endpoint(Map<String, String> variables, String name) {
    return URI.create(Objects.requireNonNull(variables.get(name), name));
  }

  private static void handle(Carillon carillon, String function, JsonNode event) {
    Clock clock = Clock.systemUTC();
    Deadline deadline = new Deadline(clock.instant().plus(LONGEST), clock);
    String body = event.at("/Records/0/body").asText();
    switch (function) {
      case "MasterFunction" -> carillon.master().tick(deadline);
      case "CheckerFunction" ->
          carillon.checkMessages().handle(List.of(new Message("first", body, 1)), deadline);
      case "IngestFunction" ->
          carillon.ingest().handle(List.of(new Received("first", body)), deadline);
      case "ReportFunction" ->
          carillon
              .reportMessages()
              .handle(
                  List.of(new ReportMessages.Received("first", body, clock.instant())), deadline);
      default -> carillon.api().handle(request(event));
    }
  }

  private static APIGatewayProxyRequestEvent request(JsonNode event) {
    JsonNode path = event.path("pathParameters");
    return new APIGatewayProxyRequestEvent()
        .withResource(event.path("resource").asText())
        .withHttpMethod(event.path("httpMethod").asText())
        .withBody(event.path("body").asText())
        .withHeaders(Map.of("Content-Type", "application/json"))
        .withPathParameters(
            Map.of("ns", path.path("ns").asText(), "name", path.path("name").asText()));
  }
}
