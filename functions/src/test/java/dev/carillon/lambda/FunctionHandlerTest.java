package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.carillon.log.Output;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated
class FunctionHandlerTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final CloudDouble cloud = new CloudDouble();

  /** The functions that queues invoke, with a message for each. */
  static List<Arguments> invokedByQueues() {
    Function<Carillon, FunctionHandler<SQSEvent, SQSBatchResponse>> ingest = IngestHandler::new;
    Function<Carillon, FunctionHandler<SQSEvent, SQSBatchResponse>> checker = CheckerHandler::new;
    return List.of(
        Arguments.of(
            ingest,
            "{\"carillonSearch\":{\"again\":true},\"id\":\"1\",\"namespace\":\"default\","
                + "\"timestamp\":0,\"eventType\":\"k\",\"payload\":{}}"),
        Arguments.of(checker, "{\"due\": 0, \"wake\": [\"default~sample~00001~0mm7kwn40\"]}"));
  }

  @ParameterizedTest
  @MethodSource("invokedByQueues")
  void messagesToBeReceivedAgainAreCounted(
      Function<Carillon, FunctionHandler<SQSEvent, SQSBatchResponse>> function, String body) {
    assertThat(output(function, body, 0)).doesNotContain("MessagesFailed");
    cloud.unreachable = true;
    assertThat(output(function, body, 2)).contains("\"MessagesFailed\":2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"not a check", "{\"due\": 0, \"wake\": [\"default/sample#ofANewerVersion\"]}"})
  void aMessageOfANewerVersionStaysInTheCheckQueue(String body) {
    assertThat(output(CheckerHandler::new, body, 2)).contains("\"MessagesFailed\":2");
  }

  /** The output when two such messages are received, of which some fail. */
  private String output(
      Function<Carillon, FunctionHandler<SQSEvent, SQSBatchResponse>> function,
      String body,
      int failed) {
    Map<String, String> environment = cloud.environment();
    environment.put("AWS_LAMBDA_FUNCTION_NAME", "x");
    try (Output output = new Output()) {
      Carillon carillon = Carillon.of(environment, cloud.dynamoDb(), cloud.sqs(), () -> NOW);
      SQSEvent event = new SQSEvent();
      event.setRecords(List.of(message("m1", body), message("m2", body)));
      SQSBatchResponse response =
          function.apply(carillon).handleRequest(event, CloudDouble.context());
      assertThat(response.getBatchItemFailures()).hasSize(failed);
      return output.text();
    }
  }

  private static SQSMessage message(String id, String body) {
    SQSMessage message = new SQSMessage();
    message.setMessageId(id);
    message.setAttributes(Map.of());
    message.setBody(body);
    return message;
  }
}
