package dev.carillon.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Api;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.lambda.Carillon;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** What the API answers if each try of a write meets transactions of other writers. */
class ConflictAnswersTest {

  private static final String ROOT = "/v1/namespaces/{ns}/";
  private static final String SCHEDULE = ROOT + "schedules/{name}";
  private static final String MANUAL =
      "{\"trigger\": {\"type\": \"manual\"}, \"state\": \"ACTIVE\","
          + " \"target\": {\"queue\": \"carillon-target-a\", \"template\": {}}}";

  private volatile @Nullable String contended;
  private final Carillon carillon =
      Carillon.of(
          Servers.environment(Servers.tables()),
          Servers.dynamoDb(List.of(new Conflicts())),
          Servers.sqs(),
          Clock.systemUTC());
  private final Api api = carillon.api();

  /** Refuses each write of an item that contains the contended text. */
  private final class Conflicts implements ExecutionInterceptor {
    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
      SdkRequest request = context.request();
      String text = contended;
      boolean isRefused = text != null && request.toString().contains(text);
      if (isRefused && request instanceof PutItemRequest) {
        throw TransactionConflictException.builder().message("conflict").build();
      }
      if (isRefused && request instanceof TransactWriteItemsRequest) {
        CancellationReason reason =
            CancellationReason.builder().code("TransactionConflict").build();
        throw TransactionCanceledException.builder().cancellationReasons(reason).build();
      }
      return request;
    }
  }

  private JsonNode call(int status, String method, String route, String name, String body) {
    APIGatewayProxyResponseEvent answer =
        api.handle(
            new APIGatewayProxyRequestEvent()
                .withHttpMethod(method)
                .withResource(route)
                .withPathParameters(Map.of("ns", "default", "name", name))
                .withHeaders(Map.of("Content-Type", "application/json"))
                .withBody(body));
    assertThat(answer.getStatusCode()).as(answer.getBody()).isEqualTo(status);
    return Json.readObject(answer.getBody());
  }

  private static void assertConcurrentChange(JsonNode problem) {
    assertThat(problem.path("type").asText()).isEqualTo("urn:carillon:problem:concurrent-change");
  }

  @Test
  void aWriteOfOneItemIsAnsweredLikeALostRace() {
    contended = "holidays";
    String dates = "{\"dates\": [\"2026-12-25\"]}";
    assertConcurrentChange(call(409, "PUT", ROOT + "calendars/{name}", "holidays", dates));
  }

  @Test
  void aTransactionIsAnsweredLikeALostRace() {
    contended = "default/report";
    assertConcurrentChange(call(409, "PUT", SCHEDULE, "report", MANUAL));
  }

  @Test
  void aRequestForManyJobsRefusesOnlyTheJobThatCannotBeStored() {
    call(201, "PUT", SCHEDULE, "report", MANUAL);
    String free = launched();
    String busy = launched();
    contended = JobId.parse(busy).sortKey();
    JsonNode answer = call(200, "POST", ROOT + "jobs/cancel", "", "{\"schedule\": \"report\"}");
    assertThat(answer.path("matched").asInt()).isEqualTo(2);
    assertThat(answer.path("cancelled").asInt()).isEqualTo(1);
    assertThat(answer.path("refused")).hasSize(1);
    assertThat(answer.at("/refused/0/jobId").asText()).isEqualTo(busy).isNotEqualTo(free);
    assertThat(answer.at("/refused/0/detail").asText()).contains("repeat the request");
  }

  private String launched() {
    return call(202, "POST", SCHEDULE + "/launch", "report", "{}").path("jobId").asText();
  }
}
