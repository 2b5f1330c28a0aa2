package dev.carillon.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.dynamodb.StoreWarmup;
import dev.carillon.dynamodb.Tables;
import dev.carillon.launch.Requests;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Randomness;
import dev.carillon.schedule.ScheduleParser;
import dev.carillon.sqs.QueueWarmup;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;

@Isolated
class SnapStartTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final CloudDouble cloud = new CloudDouble();
  private Instant now = NOW;

  private Carillon carillon(String... more) {
    Map<String, String> environment = cloud.environment();
    for (String name : more) {
      environment.put(name, "x");
    }
    return Carillon.of(environment, cloud.dynamoDb(), cloud.sqs(), this::later);
  }

  /** A clock that makes the time for priming pass after a few rounds. */
  private synchronized Instant later() {
    now = now.plusMillis(100);
    return now;
  }

  static Stream<Function<Carillon, FunctionHandler<?, ?>>> functions() {
    return Stream.of(
        MasterHandler::new,
        IngestHandler::new,
        CheckerHandler::new,
        ApiHandler::new,
        ReportHandler::new);
  }

  @AfterEach
  void renewRandomness() {
    Randomness.renew();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void primingReadsForRealAndChangesNothing(Function<Carillon, FunctionHandler<?, ?>> function) {
    function.apply(carillon()).beforeCheckpoint(null);
    assertThat(cloud.requests).extracting(Object::getClass).hasSizeGreaterThan(1);
    Set<String> names = new HashSet<>();
    cloud.requests.forEach(request -> names.add(request.getClass().getSimpleName()));
    assertThat(names)
        .contains("SendMessageBatchRequest")
        .containsAnyOf("QueryRequest", "BatchGetItemRequest")
        .isSubsetOf(
            "SendMessageBatchRequest",
            "QueryRequest",
            "BatchGetItemRequest",
            "ScanRequest",
            "GetItemRequest",
            "GetQueueAttributesRequest");
    for (SdkRequest request : cloud.requests) {
      if (request instanceof SendMessageBatchRequest batch) {
        assertThat(batch.entries()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("functions")
  void aFunctionThatCannotBePrimedStartsAnyway(Function<Carillon, FunctionHandler<?, ?>> function) {
    cloud.unreachable = true;
    FunctionHandler<?, ?> handler = function.apply(carillon());
    assertThatCode(() -> handler.beforeCheckpoint(null)).doesNotThrowAnyException();
    assertThatCode(() -> handler.afterRestore(null)).doesNotThrowAnyException();
    assertThat(cloud.requests).isNotEmpty();
  }

  @Test
  void primingRunsTheWholeModel() {
    assertThatCode(
            () ->
                Priming.model(
                    new ScheduleParser(ZoneOffset.UTC),
                    new Requests(
                        new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of()))))
        .doesNotThrowAnyException();
  }

  @Test
  void primingLaunchesAFireAndAnEventAndReportsARunInMemory() {
    JsonNode jobs = Warmup.simulate(new ScheduleParser(ZoneOffset.UTC), () -> NOW).path("jobs");
    List<JsonNode> launched = new ArrayList<>();
    jobs.forEach(job -> launched.addAll(job.findValues("body")));
    assertThat(jobs)
        .extracting(job -> job.path("state").asText())
        .containsExactlyInAnyOrder("LAUNCHED", "SUCCEEDED");
    assertThat(launched).hasSize(2);
  }

  @Test
  void primingWarmsUpTheWritesOfALaunch() {
    Priming.Sample sample =
        Priming.model(
            new ScheduleParser(ZoneOffset.UTC),
            new Requests(
                new TargetPolicy("us-east-1", "000000000000", "", List.of("*"), Set.of())));
    Tables tables = new Tables("schedules", "timers", "jobs", "gates", "status");
    try (Clients offline = Clients.offline(OfflineHttpClient.STRANGE_ITEMS)) {
      assertThatCode(
              () -> {
                StoreWarmup.run(offline.dynamoDb(), tables, sample.stored());
                QueueWarmup.run(
                    offline.sqs(), "https://sqs.us-east-1.amazonaws.com/0/q", sample.request());
              })
          .doesNotThrowAnyException();
    }
  }

  @Test
  void primingCreatesAScheduleOffline() {
    try (Carillon offline = carillon().offline()) {
      assertThat(offline.api().handle(ApiHandler.creation()).getStatusCode()).isEqualTo(201);
    }
    assertThat(cloud.requests).isEmpty();
  }

  @Test
  void countsOfPrimingAreDropped() {
    PrintStream before = System.out;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      IngestHandler handler = new IngestHandler(carillon("AWS_LAMBDA_FUNCTION_NAME"));
      handler.beforeCheckpoint(null);
      handler.afterRestore(null);
      com.amazonaws.services.lambda.runtime.events.SQSEvent nothing =
          new com.amazonaws.services.lambda.runtime.events.SQSEvent();
      nothing.setRecords(List.of());
      handler.handleRequest(nothing, CloudDouble.context());
    } finally {
      System.setOut(before);
    }
    assertThat(captured.toString(StandardCharsets.UTF_8)).doesNotContain("EventsUnmatched");
  }

  @Test
  void copiesOfOneSnapshotShareNoUniqueValues() throws GeneralSecurityException {
    Set<Object> first = tokensOfACopy(true);
    Set<Object> second = tokensOfACopy(true);
    assertThat(first).hasSizeGreaterThan(3).doesNotContainAnyElementsOf(second);
    assertThat(tokensOfACopy(false)).as("what copies would share").isEqualTo(tokensOfACopy(false));
  }

  /** The ids and tokens of a process that starts as a copy of the same snapshot. */
  private Set<Object> tokensOfACopy(boolean restored) throws GeneralSecurityException {
    SecureRandom snapshot = SecureRandom.getInstance("SHA1PRNG");
    snapshot.setSeed(7);
    Randomness.drawFrom(snapshot);
    cloud.requests.clear();
    MasterHandler handler = new MasterHandler(carillon());
    handler.beforeCheckpoint(null);
    if (restored) {
      handler.afterRestore(null);
    }
    cloud.requests.clear();
    handler.handleRequest(new ScheduledEvent(), CloudDouble.context());
    Set<Object> unique = new HashSet<>();
    for (SdkRequest request : cloud.requests) {
      if (request instanceof PutItemRequest put) {
        unique.add(put.item().get("w"));
      }
    }
    unique.add(Randomness.uuid());
    unique.add(Randomness.uuid());
    unique.add(Randomness.below(Long.MAX_VALUE));
    return unique;
  }

  @Test
  void uuidsAreRandom() {
    assertThat(Randomness.uuid().version()).isEqualTo(4);
    assertThat(Randomness.uuid().variant()).isEqualTo(2);
  }

  @Test
  void noConnectionSurvivesASnapshot() {
    List<Connection> made = new ArrayList<>();
    RenewableHttpClient client =
        new RenewableHttpClient(
            () -> {
              made.add(new Connection());
              return made.get(made.size() - 1);
            });
    client.prepareRequest(null);
    client.renew();
    client.prepareRequest(null);
    assertThat(made).extracting(one -> one.closed).containsExactly(true, false);
    assertThat(made).extracting(one -> one.requests).containsExactly(1, 1);
    client.close();
    assertThat(made.get(1).closed).isTrue();
  }

  private static final class Connection implements SdkHttpClient {
    boolean closed;
    int requests;

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      requests++;
      return null;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void eachCopyResolvesItsCredentialsAgain() {
    List<Integer> made = new ArrayList<>();
    RenewableCredentials credentials =
        new RenewableCredentials(
            () -> {
              made.add(made.size());
              String name = "key" + made.size();
              return () ->
                  software.amazon.awssdk.auth.credentials.AwsBasicCredentials.create(name, "s");
            });
    assertThat(credentials.resolveCredentials().accessKeyId()).isEqualTo("key1");
    credentials.renew();
    assertThat(credentials.resolveCredentials().accessKeyId()).isEqualTo("key2");
  }
}
