package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayTest {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** The most executions of the route that waits; docs/operate/limits.md has the bound. */
  private static final int PULLS_ON_AWS = 500;

  @TempDir private Path records;
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private final Gateway gateway = new Gateway(0);

  @BeforeEach
  void start() {
    SamTemplate.Function definition =
        new SamTemplate.Function(
            "Api",
            StubApiHandler.class.getName(),
            records,
            false,
            Duration.ofSeconds(5),
            128,
            Map.of(),
            List.of());
    LocalFunction api =
        LoadedFunction.load(
            definition, Map.of("NAME", "gateway", "RECORDS", records.toString()), watch);
    gateway.open();
    gateway.route(new EventSource.Route("GET", "/v1/things/{id}"), api);
    gateway.route(new EventSource.Route("PUT", "/v1/things/{id}"), api);
    gateway.route(new EventSource.Route("POST", "/v1/things"), api);
    gateway.route(new EventSource.Route("GET", "/v1/fail"), api);
    gateway.start();
  }

  @AfterEach
  void stop() {
    gateway.close();
    watch.shutdownNow();
  }

  @Test
  void aRequestReachesTheFunctionAsApiGatewayWouldSendIt() throws Exception {
    HttpResponse<String> answer =
        send(
            to("/v1/things/a%2Fb?x=1&x=2&y=%20z")
                .header("If-Match", "\"7\"")
                .header("Content-Type", "application/json")
                .method("PUT", BodyPublishers.ofString("grün")));
    APIGatewayProxyRequestEvent event =
        new StubRecords(records, "gateway").next(APIGatewayProxyRequestEvent.class);
    assertThat(event.getResource()).isEqualTo("/v1/things/{id}");
    assertThat(event.getPath()).isEqualTo("/v1/things/a%2Fb");
    assertThat(event.getHttpMethod()).isEqualTo("PUT");
    assertThat(event.getPathParameters()).containsExactly(Map.entry("id", "a%2Fb"));
    assertThat(event.getQueryStringParameters()).containsEntry("x", "2").containsEntry("y", " z");
    assertThat(event.getMultiValueQueryStringParameters()).containsEntry("x", List.of("1", "2"));
    assertThat(event.getHeaders()).containsEntry("If-Match", "\"7\"");
    assertThat(event.getMultiValueHeaders()).containsEntry("If-Match", List.of("\"7\""));
    assertThat(event.getRequestContext().getResourcePath()).isEqualTo("/v1/things/{id}");
    assertThat(event.getBody()).isEqualTo("grün");
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo("grün");
    assertThat(answer.headers().firstValue("ETag")).contains("\"1\"");
    assertThat(answer.headers().allValues("X-Many")).containsExactly("a", "b");
  }

  @Test
  void aRequestWithoutQueryAndBodyHasNeither() throws Exception {
    send(to("/v1/things/a").GET());
    APIGatewayProxyRequestEvent event =
        new StubRecords(records, "gateway").next(APIGatewayProxyRequestEvent.class);
    assertThat(event.getQueryStringParameters()).isNull();
    assertThat(event.getMultiValueQueryStringParameters()).isNull();
    assertThat(event.getBody()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/nothing, 404",
    "GET, /v1/things/a/b, 404",
    "GET, /v1/things/, 404",
    "DELETE, /v1/things/a, 405",
    "GET, /v1/things, 405",
    "HEAD, /v1/things/a, 405",
    "GET, /v1/fail, 502"
  })
  void anUnroutedRequestGetsAProblemDocument(String method, String path, int status)
      throws Exception {
    HttpResponse<String> answer = send(to(path).method(method, BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    if (!method.equals("HEAD")) {
      assertThat(json(answer).path("status").asInt()).isEqualTo(status);
      assertThat(json(answer).path("type").asText()).startsWith("urn:carillon:problem:");
      assertThat(json(answer).path("detail").asText()).isNotEmpty();
      assertThat(json(answer).path("errors").isArray()).isTrue();
    }
  }

  @Test
  void theAnswerToAWrongMethodNamesTheAllowedOnes() throws Exception {
    HttpResponse<String> answer = send(to("/v1/things/a").DELETE());
    assertThat(answer.headers().firstValue("Allow")).contains("GET, PUT");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"a, 1", "\", 2", "`\n`, 2", "`\u0001`, 6", "ü, 2", "€, 3", "😀, 4"})
  void aBodyOfSixMegabytesInJsonIsTakenAndOneCharacterMoreIsNot(String character, int bytesInJson)
      throws Exception {
    String largest = character.repeat(Gateway.MOST_BODY_BYTES / bytesInJson);
    assertThat(send(post(largest)).statusCode()).isEqualTo(201);
    HttpResponse<String> refused = send(post(largest + character));
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(json(refused).path("type").asText())
        .isEqualTo("urn:carillon:problem:body-too-large");
  }

  @Test
  void aBodyThatIsFarTooLargeIsRefused() throws Exception {
    assertThat(send(post("a".repeat(5 * Gateway.MOST_BODY_BYTES))).statusCode()).isEqualTo(413);
  }

  @Test
  @Timeout(120)
  void otherRequestsAreAnsweredWhileAsManyPullsWaitAsOnAws() throws Exception {
    WaitingFunction next = new WaitingFunction(PULLS_ON_AWS);
    gateway.route(new EventSource.Route("GET", "/v1/next"), next);
    List<CompletableFuture<HttpResponse<String>>> pulls =
        Stream.generate(() -> to("/v1/next").build())
            .limit(PULLS_ON_AWS)
            .map(pull -> CLIENT.sendAsync(pull, BodyHandlers.ofString()))
            .toList();
    try {
      assertThat(next.waiting.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(send(to("/v1/things/a").GET()).statusCode()).isEqualTo(201);
    } finally {
      next.end.countDown();
    }
    for (CompletableFuture<HttpResponse<String>> pull : pulls) {
      assertThat(pull.get().statusCode()).isEqualTo(204);
    }
  }

  /** Answers no request until the test ends them all. */
  private static final class WaitingFunction implements LocalFunction {

    private final CountDownLatch waiting;
    private final CountDownLatch end = new CountDownLatch(1);

    WaitingFunction(int requests) {
      waiting = new CountDownLatch(requests);
    }

    @Override
    public String name() {
      return "Waiting";
    }

    @Override
    public void awaitReady() {}

    @Override
    public int mostConcurrent() {
      return 1;
    }

    @Override
    public <T> T invoke(Object event, Class<T> answer) {
      waiting.countDown();
      try {
        end.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      return answer.cast(new APIGatewayProxyResponseEvent().withStatusCode(204));
    }

    @Override
    public void close() {}
  }

  private HttpRequest.Builder post(String body) {
    return to("/v1/things")
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(gateway.address() + path));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }
}
