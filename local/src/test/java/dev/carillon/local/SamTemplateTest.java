package dev.carillon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the deployed template with the local engine. */
class SamTemplateTest {

  private static final Path TEMPLATE = Path.of("../template.yaml");
  private static final URI SQS = URI.create("http://127.0.0.1:9324");
  private static final String QUEUES = "arn:aws:sqs:us-east-1:000000000000:";

  private final SamTemplate template = read(TEMPLATE, Map.of("AllowedTargets", "*"));

  @Test
  void tablesHaveTheirKeysAndIndexes() {
    assertThat(table("carillon-SchedulesTable").key())
        .isEqualTo(new SamTemplate.Key("schedule", "item"));
    assertThat(table("carillon-SchedulesTable").indexes())
        .containsExactly(
            new SamTemplate.Index(
                "eventKey", new SamTemplate.Key("eventKey", "schedule"), "KEYS_ONLY", List.of()),
            new SamTemplate.Index(
                "namespace", new SamTemplate.Key("namespace", "name"), "ALL", List.of()));
    assertThat(table("carillon-TimersTable"))
        .isEqualTo(
            new SamTemplate.Table(
                "carillon-TimersTable",
                Map.of("shard", "S", "due", "S"),
                new SamTemplate.Key("shard", "due"),
                List.of(),
                null));
    assertThat(table("carillon-JobsTable").attributes()).containsEntry("attentionAt", "N");
    assertThat(table("carillon-JobsTable").indexes())
        .containsExactly(
            new SamTemplate.Index(
                "attention",
                new SamTemplate.Key("attentionShard", "attentionAt"),
                "INCLUDE",
                List.of("state")),
            new SamTemplate.Index(
                "unfinished", new SamTemplate.Key("unfinished", "item"), "KEYS_ONLY", List.of()),
            new SamTemplate.Index(
                "link", new SamTemplate.Key("link", "item"), "KEYS_ONLY", List.of()));
    assertThat(table("carillon-JobsTable").expiry()).isEqualTo("expiresAt");
    assertThat(table("carillon-StatusTable").key()).isEqualTo(new SamTemplate.Key("id", null));
  }

  @Test
  void queuesHaveTheirAttributesAndDeadLetterQueues() {
    assertThat(template.queues())
        .contains(
            new SamTemplate.Queue(
                "carillon-check",
                Map.of("VisibilityTimeout", "60", "MessageRetentionPeriod", "1209600"),
                "{\"deadLetterTargetArn\":\""
                    + QUEUES
                    + "carillon-check-dead-letters\",\"maxReceiveCount\":1000}"),
            new SamTemplate.Queue(
                "carillon-overdue",
                Map.of("VisibilityTimeout", "60", "MessageRetentionPeriod", "1209600"),
                "{\"deadLetterTargetArn\":\""
                    + QUEUES
                    + "carillon-check-dead-letters\",\"maxReceiveCount\":1000}"),
            new SamTemplate.Queue(
                "carillon-rejected", Map.of("MessageRetentionPeriod", "1209600"), null));
  }

  @Test
  void theEnvironmentNamesLocalTablesAndQueues() {
    assertThat(function("CheckerFunction").environment())
        .containsEntry("SCHEDULES_TABLE", "carillon-SchedulesTable")
        .containsEntry("TIMERS_TABLE", "carillon-TimersTable")
        .containsEntry("JOBS_TABLE", "carillon-JobsTable")
        .containsEntry("STATUS_TABLE", "carillon-StatusTable")
        .containsEntry("CHECK_QUEUE_URL", "http://127.0.0.1:9324/000000000000/carillon-check")
        .containsEntry(
            "INGEST_DEAD_LETTERS_URL",
            "http://127.0.0.1:9324/000000000000/carillon-ingest-dead-letters")
        .containsEntry(
            "RESERVED_QUEUES",
            QUEUES
                + "carillon-check,"
                + QUEUES
                + "carillon-overdue,"
                + QUEUES
                + "carillon-check-dead-letters,"
                + QUEUES
                + "carillon-ingest,"
                + QUEUES
                + "carillon-ingest-dead-letters,"
                + QUEUES
                + "carillon-report,"
                + QUEUES
                + "carillon-report-dead-letters,"
                + QUEUES
                + "carillon-rejected,"
                + QUEUES
                + "carillon-namespace-*")
        .containsEntry("NAMESPACE_QUEUE_PREFIX", "carillon-namespace-")
        .containsEntry("STACK_NAME", "carillon")
        .containsEntry("METRICS_NAMESPACE", "Carillon")
        .containsEntry("ALLOWED_TARGETS", "*")
        .containsEntry("DEFAULT_ZONE", "UTC")
        .containsEntry("RETENTION_DAYS", "90")
        .containsEntry("TIMER_SHARDS", "4")
        .containsEntry("ATTENTION_SHARDS", "4")
        .containsEntry("ACCOUNT_ID", "000000000000");
  }

  @Test
  void theNumbersOfShardsAreParameters() {
    assertThat(environment(Map.of("TimerShards", "16", "AttentionShards", "1")))
        .containsEntry("TIMER_SHARDS", "16")
        .containsEntry("ATTENTION_SHARDS", "1");
  }

  @Test
  void targetsAreTheStacksOwnUnlessTheParameterSaysOtherwise() {
    assertThat(environment(Map.of()))
        .containsEntry("TARGET_PREFIX", "carillon-target-")
        .containsEntry("ALLOWED_TARGETS", QUEUES + "carillon-target-*");
  }

  @Test
  void targetsAreThoseOfThePrefixIfThereIsOne() {
    assertThat(environment(Map.of("TargetPrefix", "jobs-")))
        .containsEntry("TARGET_PREFIX", "jobs-")
        .containsEntry("ALLOWED_TARGETS", QUEUES + "jobs-*");
    assertThat(environment(Map.of("TargetPrefix", "jobs-", "AllowedTargets", QUEUES + "q-*")))
        .containsEntry("TARGET_PREFIX", "jobs-")
        .containsEntry("ALLOWED_TARGETS", QUEUES + "q-*");
  }

  @Test
  void theLocalStackHasThePrefixThatAStackOfItsNameHasOnAws() {
    assertThat(LocalEngine.template(TEMPLATE, SQS).functions().get(0).environment())
        .containsEntry("TARGET_PREFIX", environment(Map.of()).get("TARGET_PREFIX"));
  }

  private static Map<String, String> environment(Map<String, String> parameters) {
    return read(TEMPLATE, parameters).functions().get(0).environment();
  }

  @Test
  void functionsHaveTheirHandlersTimeoutsAndSources() {
    assertThat(function("MasterFunction").handler()).isEqualTo("dev.carillon.lambda.MasterHandler");
    assertThat(function("MasterFunction").timeout()).isEqualTo(Duration.ofSeconds(50));
    assertThat(function("MasterFunction").sources())
        .containsExactly(new EventSource.Rate(Duration.ofMinutes(1)));
    assertThat(function("IngestFunction").sources())
        .containsExactly(
            new EventSource.Queue(
                QUEUES + "carillon-ingest", 1000, Duration.ofSeconds(1), true, 10));
    assertThat(function("CheckerFunction").sources())
        .containsExactly(
            new EventSource.Queue(QUEUES + "carillon-check", 10, Duration.ZERO, true, 50),
            new EventSource.Queue(QUEUES + "carillon-overdue", 10, Duration.ZERO, true, 5));
    assertThat(function("ReportFunction").sources())
        .containsExactly(
            new EventSource.Queue(QUEUES + "carillon-report", 10, Duration.ZERO, true, 10));
  }

  @Test
  void everyRouteOfTheApiIsThere() {
    Set<String> routes =
        function("ApiFunction").sources().stream()
            .map(EventSource.Route.class::cast)
            .map(route -> route.method() + " " + route.path())
            .collect(Collectors.toSet());
    String schedules = "/v1/namespaces/{ns}/schedules";
    String schedule = schedules + "/{name}";
    assertThat(routes)
        .containsExactlyInAnyOrder(
            "GET /v1/namespaces/{ns}/resources",
            "PUT /v1/namespaces/{ns}/resources/{name}",
            "GET /v1/namespaces/{ns}/resources/{name}",
            "DELETE /v1/namespaces/{ns}/resources/{name}",
            "GET /v1/namespaces/{ns}/programs/{program}",
            "DELETE /v1/namespaces/{ns}/programs/{program}",
            "GET /v1/namespaces/{ns}/programs/{program}/jobs",
            "GET /v1/namespaces/{ns}/calendars",
            "PUT /v1/namespaces/{ns}/calendars/{name}",
            "GET /v1/namespaces/{ns}/calendars/{name}",
            "DELETE /v1/namespaces/{ns}/calendars/{name}",
            "GET /v1/namespaces/{ns}/pools",
            "PUT /v1/namespaces/{ns}/pools/{pool}",
            "GET /v1/namespaces/{ns}/pools/{pool}",
            "DELETE /v1/namespaces/{ns}/pools/{pool}",
            "POST /v1/namespaces/{ns}/pools/{pool}/next",
            "GET " + schedules,
            "PUT " + schedule,
            "GET " + schedule,
            "DELETE " + schedule,
            "POST " + schedule + "/suspend",
            "POST " + schedule + "/resume",
            "POST " + schedule + "/launch",
            "POST " + schedule + "/skip",
            "POST " + schedule + "/backfill",
            "GET " + schedule + "/backfills/{id}",
            "DELETE " + schedule + "/backfills/{id}",
            "GET " + schedule + "/preview",
            "POST " + schedule + "/preview",
            "GET " + schedule + "/explain",
            "GET " + schedule + "/jobs",
            "PUT /v1/namespaces/{ns}/apps/{app}",
            "GET /v1/namespaces/{ns}/apps/{app}",
            "DELETE /v1/namespaces/{ns}/apps/{app}",
            "GET /v1/namespaces/{ns}/jobs",
            "POST /v1/namespaces/{ns}/jobs/cancel",
            "POST /v1/namespaces/{ns}/jobs/retry",
            "GET /v1/namespaces/{ns}/jobs/{id}",
            "GET /v1/namespaces/{ns}/jobs/{id}/explain",
            "POST /v1/namespaces/{ns}/jobs/{id}/claim",
            "POST /v1/namespaces/{ns}/jobs/{id}/heartbeat",
            "POST /v1/namespaces/{ns}/jobs/{id}/succeed",
            "POST /v1/namespaces/{ns}/jobs/{id}/fail",
            "POST /v1/namespaces/{ns}/jobs/{id}/cancel",
            "POST /v1/namespaces/{ns}/jobs/{id}/retry",
            "POST /v1/namespaces/{ns}/events",
            "POST /v1/preview",
            "POST /v1/simulate",
            "GET /v1/status",
            "GET /v1/openapi.json",
            "GET /v1/schedule.schema.json");
  }

  @Test
  void unsupportedPartsOfATemplateAreNamed(@TempDir Path directory) throws Exception {
    String text = Files.readString(TEMPLATE);
    Path document = directory.resolve("infrastructure/openapi.yaml");
    Files.createDirectories(document.getParent());
    Files.copy(Path.of("../infrastructure/openapi.yaml"), document);
    Path cron = directory.resolve("cron.yaml");
    Files.writeString(cron, text.replace("rate(1 minute)", "cron(5 * * * ? *)"));
    assertThatThrownBy(() -> read(cron, Map.of()))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("cron(5 * * * ? *)");
    Path unknown = directory.resolve("unknown.yaml");
    Files.writeString(unknown, text.replace("!Ref TimersTable", "!ImportValue timers"));
    assertThatThrownBy(() -> read(unknown, Map.of()))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("Fn::ImportValue");
    Path dangling = directory.resolve("dangling.yaml");
    Files.writeString(dangling, text.replace("!Ref TimersTable", "!Ref Timers"));
    assertThatThrownBy(() -> read(dangling, Map.of()))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("Timers");
    assertThatThrownBy(() -> read(directory.resolve("absent.yaml"), Map.of()))
        .isInstanceOf(StartFault.class)
        .hasMessageContaining("absent.yaml");
  }

  private static SamTemplate read(Path file, Map<String, String> parameters) {
    return SamTemplate.of(new CloudFormation(file, "carillon", parameters, SQS));
  }

  private SamTemplate.Table table(String name) {
    return template.tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private SamTemplate.Function function(String name) {
    return template.functions().stream()
        .filter(function -> function.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
