package dev.carillon.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.job.Job;
import dev.carillon.job.JobState;
import dev.carillon.lambda.ApiHandler;
import dev.carillon.lambda.CheckerHandler;
import dev.carillon.lambda.IngestHandler;
import dev.carillon.lambda.MasterHandler;
import dev.carillon.lambda.ReportHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Passes each sample for {@code sam local invoke} to its handler, as Lambda does. */
class SampleEventsTest {

  private static final Path DIRECTORY = Path.of("../events");

  private final Stack stack = new Stack();

  /** The actions of the samples, by file. */
  private final Map<String, Runnable> replays =
      Map.of(
          "master.json", this::masterTicks,
          "ingest.json", this::ingestCountsFiveEventsAndRejectsTheSixth,
          "ingest-namespace.json", this::ingestCountsTheEventsOfItsQueue,
          "checker.json", this::checkerLaunchesTheFire,
          "api-put-schedule.json", this::apiCreatesTheSchedule,
          "api-list-schedules.json", this::apiListsStoredSchedules,
          "api-post-events.json", this::apiPassesTheEventOn,
          "api-status.json", this::apiReports,
          "report.json", this::reportEndsTheRunAndRejectsTheThird);

  @AfterEach
  void close() {
    stack.close();
  }

  static Stream<String> samples() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everySampleHasItsDocumentedEffect(String file) {
    assertThat(replays).as("what %s does is not written here", file).containsKey(file);
    replays.get(file).run();
  }

  @Test
  void noSampleIsMissing() throws IOException {
    assertThat(samples()).containsExactlyInAnyOrderElementsOf(replays.keySet());
  }

  private void masterTicks() {
    Instant before = Instant.now();
    new MasterHandler(stack.carillon)
        .handleRequest(read("master.json", ScheduledEvent.class), Stack.context());
    String processed = call("api-status.json", 200).path("lastProcessedTime").textValue();
    assertThat(Instant.parse(processed)).isAfter(before.minusSeconds(1));
  }

  private void ingestCountsFiveEventsAndRejectsTheSixth() {
    stack.store(
        "a1", "{\"type\": \"partition\", \"dataset\": \"default.purchases\", \"count\": 2}");
    stack.store("a2", "{\"type\": \"size\", \"stream\": \"clicks\", \"bytes\": 1048576}");
    stack.store(
        "a3", "{\"type\": \"programStatus\", \"program\": \"etl\", \"statuses\": [\"SUCCEEDED\"]}");
    stack.store("a4", "{\"type\": \"event\", \"key\": \"shop.orders:Order Placed\"}");
    stack.store("a5", "{\"type\": \"event\", \"key\": \"aws.s3:Object Created\"}");
    SQSBatchResponse response =
        new IngestHandler(stack.carillon)
            .handleRequest(read("ingest.json", SQSEvent.class), Stack.context());
    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(Stack.in(stack.rejected)).containsExactly("this is no event");
    assertThat(checked()).containsExactlyInAnyOrder("a1", "a2", "a3", "a4", "a5");
  }

  private void ingestCountsTheEventsOfItsQueue() {
    stack.store("a", "{\"type\": \"partition\", \"dataset\": \"default.purchases\", \"count\": 1}");
    new IngestHandler(stack.carillon)
        .handleRequest(read("ingest-namespace.json", SQSEvent.class), Stack.context());
    assertThat(checked()).containsExactly("a");
  }

  private void reportEndsTheRunAndRejectsTheThird() {
    JobId job = stack.storeClaimed("encode", "00000000-0000-0000-0000-000000000009");
    SQSBatchResponse response =
        new ReportHandler(stack.carillon)
            .handleRequest(read("report.json", SQSEvent.class), Stack.context());
    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(Stack.in(stack.rejected)).containsExactly("this is no report");
    Job ended = stack.job(job);
    assertThat(ended.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(ended.run().progress()).hasToString("{\"done\":40}");
    assertThat(ended.run().output()).hasToString("{\"frames\":1440}");
  }

  /** The schedules of the jobs in the check queue. */
  private List<String> checked() {
    List<String> names = new ArrayList<>();
    for (String check : Stack.in(stack.check)) {
      Json.readObject(check)
          .path("wake")
          .forEach(job -> names.add(JobId.parse(job.textValue()).schedule().name()));
    }
    return names;
  }

  private void checkerLaunchesTheFire() {
    stack.store("sample", "{\"type\": \"cron\", \"expression\": \"0 0 10 * * ?\"}");
    SQSEvent event = read("checker.json", SQSEvent.class);
    SQSBatchResponse response =
        new CheckerHandler(stack.carillon).handleRequest(event, Stack.context());
    assertThat(response.getBatchItemFailures()).isEmpty();
    assertThat(Stack.in(stack.targetUrl))
        .containsExactly("{\"job\":\"default~sample~00001~0mm7kwn40\"}");
    assertThat(Stack.in(stack.check)).isEmpty();
  }

  private void apiCreatesTheSchedule() {
    JsonNode created = call("api-put-schedule.json", 201);
    assertThat(created.path("name").textValue()).isEqualTo("nightly");
    assertThat(created.path("createdBy").textValue()).endsWith("user/ada");
    assertThat(created.path("nextFire").textValue()).contains("T03:00:00");
  }

  private void apiListsStoredSchedules() {
    call("api-put-schedule.json", 201);
    JsonNode schedules = call("api-list-schedules.json", 200).path("schedules");
    assertThat(schedules).hasSize(1);
    assertThat(schedules.path(0).path("name").textValue()).isEqualTo("nightly");
  }

  private void apiPassesTheEventOn() {
    assertThat(call("api-post-events.json", 202).path("ids")).hasSize(1);
    assertThat(Stack.in(stack.ingest))
        .singleElement()
        .asString()
        .contains("PARTITION", "default.purchases", "date=2026-03-01");
  }

  private void apiReports() {
    JsonNode status = call("api-status.json", 200);
    assertThat(status.path("queues").path("ingest").path("visible").asInt(-1)).isZero();
  }

  private JsonNode call(String file, int status) {
    APIGatewayProxyResponseEvent response =
        new ApiHandler(stack.carillon)
            .handleRequest(read(file, APIGatewayProxyRequestEvent.class), Stack.context());
    assertThat(response.getStatusCode()).as(response.getBody()).isEqualTo(status);
    return Json.readObject(response.getBody());
  }

  private static <T> T read(String file, Class<T> type) {
    try (InputStream json = Files.newInputStream(DIRECTORY.resolve(file))) {
      ClassLoader loader = SampleEventsTest.class.getClassLoader();
      return LambdaEventSerializers.serializerFor(type, loader).fromJson(json);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
