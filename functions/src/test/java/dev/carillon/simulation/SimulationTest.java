package dev.carillon.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.decision.RunDecision;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.JobId;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.run.RetryPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulationTest {

  private static final String TARGET =
      """
      "target": {"queue": "work", "template": {"at": "${scheduledFor}"}}
      """;

  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);
  private static final TargetPolicy POLICY =
      new TargetPolicy("eu-west-1", "000000000000", "", List.of("*"), Set.of());

  private final Simulation simulation = new Simulation(PARSER, POLICY);

  private static final String TWO_CUSTOMERS =
      """
      {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
       "pools": {"default/encode": {%s, "workers": 1}},
       "programs": {"default/encoder": {"runsFor": "PT10M"}},
       "schedules": {
         "default/a": {"program": "encoder", "customer": "a", "pool": "encode",
           "trigger": {"type": "partition", "dataset": "a", "count": 1}, "target": {"template": {}}},
         "default/b": {"program": "encoder", "customer": "b", "pool": "encode",
           "trigger": {"type": "partition", "dataset": "b", "count": 1}, "target": {"template": {}}}},
       "steps": [%s]}
      """;

  private static String partition(String dataset, int second) {
    return """
        {"at": "2026-03-01T01:00:0%dZ", "event": {"namespace": "default", "eventType": "PARTITION",
          "payload": {"datasetId": "%s", "numPartitions": 1}}}
        """
        .formatted(second, dataset);
  }

  /** The schedules in the order in which their jobs began to run. */
  private static List<String> order(List<JsonNode> jobs) {
    return jobs.stream()
        .sorted(Comparator.comparing(SimulationTest::claimedAt))
        .map(job -> job.path("schedule").asText())
        .toList();
  }

  private static String claimedAt(JsonNode job) {
    for (JsonNode transition : job.path("transitions")) {
      if (transition.path("state").asText().equals("CLAIMED")) {
        return transition.path("at").asText();
      }
    }
    return "never";
  }

  /** The second job of customer a is in the queue before the first one of customer b arrives. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "|\"queue\": \"encoding\", \"depth\": 1|, default/a default/a default/b default/a default/b",
        "|\"order\": \"fair\"|, default/a default/b default/a default/b default/a"
      })
  void customersTakeTurnsAtAPool(String pool, String expected) {
    String steps =
        String.join(
            ", ",
            partition("a", 1),
            partition("a", 2),
            partition("a", 3),
            partition("b", 4),
            partition("b", 5));
    List<JsonNode> jobs = play(TWO_CUSTOMERS.formatted(pool, steps));
    List<JsonNode> run =
        jobs.stream().filter(job -> !job.path("state").asText().equals("PENDING_TRIGGER")).toList();
    assertThat(texts(run, "state")).containsOnly("SUCCEEDED").hasSize(5);
    assertThat(String.join(" ", order(run))).isEqualTo(expected);
  }

  @Test
  void aCronIsSimulatedAcrossTheMissingHour() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-28T00:00:00Z", "to": "2026-03-30T00:00:00Z",
             "schedules": {"default/report": {
               "zone": "Europe/Berlin",
               "trigger": {"type": "cron", "expression": "0 30 2 * * ?"}, %s}}}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "scheduledFor"))
        .containsExactly("2026-03-28T01:30:00.000Z", "2026-03-29T01:00:00.000Z");
    assertThat(texts(jobs, "state")).containsOnly("LAUNCHED");
    JsonNode launch = jobs.get(1).path("launches").get(0);
    assertThat(launch.path("at").asText()).isEqualTo("2026-03-29T01:00:00.000Z");
    assertThat(launch.path("queue").asText()).isEqualTo("arn:aws:sqs:eu-west-1:000000000000:work");
    assertThat(launch.path("body").path("at").asText()).isEqualTo("2026-03-29T03:00:00.000+02:00");
  }

  @Test
  void theBeginningIsExclusiveAndTheEndInclusive() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T00:00:03Z",
             "schedules": {"default/tick": {
               "trigger": {"type": "cron", "expression": "* * * * * ?"}, %s}}}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "scheduledFor"))
        .containsExactly(
            "2026-03-01T00:00:01.000Z", "2026-03-01T00:00:02.000Z", "2026-03-01T00:00:03.000Z");
  }

  @Test
  void aBacklogLaunchesAtTheResumptionAndAHoldEndsByItself() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:30:00Z",
             "schedules": {
               "default/kept": {"trigger": {"type": "cron", "expression": "0 0 * * * ?"}, %s},
               "default/held": {"trigger": {"type": "cron", "expression": "0 0 * * * ?"}, %s}},
             "steps": [
               {"at": "2026-03-01T01:30:00Z", "suspend": "default/kept", "mode": "backlog"},
               {"at": "2026-03-01T01:30:00Z", "suspend": "default/held", "mode": "hold",
                "until": "2026-03-01T04:59:59.500Z"},
               {"at": "2026-03-01T03:30:00Z", "resume": "default/kept"}]}
            """
                .formatted(TARGET, TARGET));
    assertThat(launches(jobs, "default/kept"))
        .containsExactly("01:00:00", "03:30:00", "03:30:00", "04:00:00", "05:00:00", "06:00:00");
    assertThat(launches(jobs, "default/held")).containsExactly("01:00:00", "05:00:00", "06:00:00");
  }

  private static List<String> launches(List<JsonNode> jobs, String schedule) {
    return jobs.stream()
        .filter(job -> job.path("schedule").asText().equals(schedule))
        .map(job -> job.path("launches").get(0).path("at").asText().substring(11, 19))
        .sorted()
        .toList();
  }

  @Test
  void gaugesAreReportedExpireAndAreDeleted() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T05:30:00Z",
             "schedules": {
               "default/copy": {"trigger": {"type": "cron", "expression": "0 0 * * * ?"},
                 "constraints": [{"type": "resource", "name": "disk", "atLeast": 10,
                   "ifUnknown": "allow"}], %s}},
             "steps": [
               {"at": "2026-03-01T00:30:00Z", "resource": {"default/disk": {"value": 9, "ttl": "PT1H"}}},
               {"at": "2026-03-01T02:30:00Z", "resource": {"default/disk": {"value": 9.5}}},
               {"at": "2026-03-01T03:10:00Z", "resource": {"default/disk": {"value": 10}}},
               {"at": "2026-03-01T03:20:00Z", "resource": {"default/disk": {"value": 0}}},
               {"at": "2026-03-01T05:20:00Z", "resource": {"default/disk": null}}]}
            """
                .formatted(TARGET));
    assertThat(jobs)
        .extracting(job -> job.at("/launches/0/at").asText())
        .containsExactly(
            "2026-03-01T01:30:00.000Z",
            "2026-03-01T02:00:00.000Z",
            "2026-03-01T03:10:00.000Z",
            "2026-03-01T05:20:00.000Z",
            "2026-03-01T05:20:00.000Z");
  }

  @Test
  void aGaugeThatCannotBeReportedIsAFaultOfItsStep() {
    assertThatThrownBy(
            () ->
                play(
                    """
                    {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z", "steps": [
                      {"at": "2026-03-01T01:00:00Z", "resource": {"default/a": 3}},
                      {"at": "2026-03-01T02:00:00Z", "resource": {"b": {"value": 3}}}]}
                    """))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid ->
                assertThat(invalid.faults())
                    .extracting(Fault::pointer)
                    .containsExactly("/steps/0/resource/default~1a", "/steps/1/resource/b"));
    assertThatThrownBy(
            () ->
                play(
                    """
                    {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z", "steps": [
                      {"at": "2026-03-01T01:00:00Z", "resource": {"default/a": {"value": "3"}}}]}
                    """))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid ->
                assertThat(invalid.faults())
                    .extracting(Fault::pointer)
                    .containsExactly("/steps/0/resource/default~1a/value"));
  }

  @Test
  void elapsedAndQuietLeavesFollowALaunchOrEvents() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T12:00:00Z",
             "schedules": {
               "default/hungry": {"trigger": {"type": "or", "triggers": [
                 {"type": "elapsed", "since": "lastLaunch", "duration": "PT4H"},
                 {"type": "size", "stream": "clicks", "bytes": 100}]}, %s},
               "default/quiet": {"trigger": {"type": "quiet", "period": "PT90M",
                 "of": {"type": "size", "stream": "clicks", "bytes": 1}}, %s}},
             "steps": [
               {"at": "2026-03-01T05:00:00Z", "event":
                 {"eventType": "SIZE", "payload": {"streamId": "clicks", "bytes": 60}}},
               {"at": "2026-03-01T05:45:00Z", "event":
                 {"eventType": "SIZE", "payload": {"streamId": "clicks", "bytes": 60}}}]}
            """
                .formatted(TARGET, TARGET));
    assertThat(texts(jobs, "scheduledFor"))
        .containsExactlyInAnyOrder(
            "2026-03-01T04:00:00.000Z",
            "2026-03-01T05:45:00.000Z",
            "2026-03-01T07:15:00.000Z",
            "2026-03-01T09:45:00.000Z");
    assertThat(jobs)
        .filteredOn(job -> job.path("state").asText().equals("LAUNCHED"))
        .allSatisfy(
            job ->
                assertThat(job.path("launches").get(0).path("at"))
                    .isEqualTo(job.path("scheduledFor")));
  }

  @Test
  void collectedEventsAreLaunchedAtTheTimeout() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z",
             "schedules": {"default/story8": {
               "trigger": {"type": "and", "triggers": [
                 {"type": "partition", "dataset": "a", "count": 1},
                 {"type": "partition", "dataset": "b", "count": 1},
                 {"type": "partition", "dataset": "c", "count": 1}]},
               "timeout": {"after": "PT6H", "action": "launch"},
               "target": {"queue": "work", "template": {"why": "${trigger}"}}}},
             "steps": [
               {"at": "2026-03-01T10:00:00Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "a", "numPartitions": 2}}},
               {"at": "2026-03-01T16:00:00Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "b", "numPartitions": 1}}},
               {"at": "2026-03-01T16:00:00.001Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "c", "numPartitions": 1}}}]}
            """);
    assertThat(texts(jobs, "state")).containsExactly("LAUNCHED", "LAUNCHED");
    JsonNode launch = jobs.get(0).path("launches").get(0);
    assertThat(launch.path("at").asText()).isEqualTo("2026-03-01T16:00:00.000Z");
    assertThat(launch.at("/body/why/leaves").findValuesAsText("satisfied"))
        .containsExactly("true", "true", "false");
    assertThat(jobs.get(1).at("/launches/0/body/why/leaves").findValuesAsText("satisfied"))
        .containsExactly("false", "false", "true");
    assertThat(jobs.get(1).path("scheduledFor").asText()).isEqualTo("2026-03-01T22:00:00.001Z");
  }

  @Test
  void aRunThatEndsAtTheTimeoutOfAWaitingJobReleasesTheJob() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T12:00:00Z",
             "schedules": {"default/etl": {
               "trigger": {"type": "at", "time": "2026-03-01T01:00:00Z"}, %1$s,
               "constraints": [{"type": "concurrency", "max": 1}]},
              "default/again": {"program": "etl",
               "trigger": {"type": "at", "time": "2026-03-01T02:00:00Z"}, %1$s,
               "timeout": {"after": "PT1H", "action": "discard"},
               "constraints": [{"type": "concurrency", "max": 1}]},
              "default/tooLong": {"program": "etl",
               "trigger": {"type": "at", "time": "2026-03-01T02:00:00Z"}, %1$s,
               "timeout": {"after": "PT1H0.001S", "action": "discard"},
               "constraints": [{"type": "concurrency", "max": 1}]}},
             "programs": {"default/etl": {"runsFor": "PT2H"}}}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "state")).containsExactly("SUCCEEDED", "SUCCEEDED", "TIMED_OUT");
    assertThat(jobs.get(1).path("launches").get(0).path("at").asText())
        .isEqualTo("2026-03-01T03:00:00.000Z");
    assertThat(jobs.get(2).at("/transitions/1/at").asText()).isEqualTo("2026-03-01T03:00:00.001Z");
  }

  @Test
  void eventsSatisfyATriggerAtTheInstantOfTheirArrival() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z",
             "schedules": {"default/load": {
               "trigger": {"type": "and", "triggers": [
                 {"type": "partition", "dataset": "a", "count": 2},
                 {"type": "partition", "dataset": "b", "count": 1}]}, %s}},
             "steps": [
               {"at": "2026-03-01T10:00:00Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "a", "numPartitions": 2}}},
               {"at": "2026-03-01T11:00:00.123Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "b", "numPartitions": 1}}},
               {"at": "2026-03-01T12:00:00Z", "event":
                 {"eventType": "PARTITION", "payload": {"datasetId": "b", "numPartitions": 1}}}]}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "state")).containsExactly("LAUNCHED", "PENDING_TRIGGER");
    assertThat(jobs.get(0).path("launches").get(0).path("at").asText())
        .isEqualTo("2026-03-01T11:00:00.123Z");
    assertThat(jobs.get(1).path("transitions").get(0).path("at").asText())
        .isEqualTo("2026-03-01T12:00:00.000Z");
  }

  @Test
  void aScheduleAfterAProgramLaunchesWhenItsRunSucceeds() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T12:00:00Z",
             "schedules": {
               "default/etl": {
                 "trigger": {"type": "cron", "expression": "0 0 3,9 * * ?"}, %1$s},
               "default/report": {
                 "trigger": {"type": "programStatus", "program": "etl",
                             "statuses": ["SUCCEEDED"]}, %1$s}},
             "programs": {"default/etl": {"runsFor": "PT5M"}},
             "steps": [{"at": "2026-03-01T09:01:00Z", "finish": "default/etl",
                        "outcome": "FAILED"}]}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "schedule"))
        .containsExactly("default/etl", "default/report", "default/etl");
    assertThat(texts(jobs, "state")).containsExactly("SUCCEEDED", "LAUNCHED", "FAILED");
    assertThat(states(jobs.get(0)))
        .containsExactly("PENDING_LAUNCH", "ENQUEUED", "RUNNING", "SUCCEEDED");
    assertThat(jobs.get(1).path("scheduledFor").asText()).isEqualTo("2026-03-01T03:05:00.000Z");
    assertThat(jobs.get(2).path("transitions").findValuesAsText("at").get(3))
        .isEqualTo("2026-03-01T09:01:00.000Z");
  }

  /** The checker would wait for the second fire, which a virtual clock cannot do. */
  @Test
  void firesOfOneSecondAreLaunchedAtTheirOwnMilliseconds() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T00:02:00Z",
             "schedules": {"default/both": {"trigger": {"type": "or", "triggers": [
               {"type": "cron", "expression": "0 * * * * ?"},
               {"type": "rate", "every": "PT1M", "anchor": "2026-03-01T00:00:00.500Z"}]}, %s}}}
            """
                .formatted(TARGET));
    assertThat(jobs)
        .extracting(job -> job.path("launches").path(0).path("at").asText())
        .containsExactly(
            "2026-03-01T00:00:00.500Z",
            "2026-03-01T00:01:00.000Z",
            "2026-03-01T00:01:00.500Z",
            "2026-03-01T00:02:00.000Z");
  }

  @Test
  void aWorkerDropsTheRequestOfAnAttemptThatHasTimedOut() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T02:00:00Z",
             "pools": {"default/encode": {"queue": "encoding", "depth": 10, "workers": 1}},
             "programs": {"default/encoder": {"runsFor": "PT20M"}},
             "schedules": {
               "default/a": {"program": "encoder", "pool": "encode", "target": {"template": {}},
                 "trigger": {"type": "at", "time": "2026-03-01T00:01:00Z"}},
               "default/b": {"program": "encoder", "pool": "encode", "target": {"template": {}},
                 "tracking": {"enqueueTimeout": "PT15M"}, "retry": {"backoff": "PT1S"},
                 "trigger": {"type": "at", "time": "2026-03-01T00:01:01Z"}}}}
            """);
    JsonNode second = jobs.get(1);
    assertThat(second.path("launches")).hasSize(2);
    assertThat(at(second, "RUNNING", 1)).isEqualTo("2026-03-01T00:21:00Z");
    assertThat(at(second, "SUCCEEDED", 1)).isEqualTo("2026-03-01T00:41:00Z");
  }

  @Test
  void anEventIsCountedAfterManyMissedFires() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T03:00:00Z",
             "schedules": {"default/busy": {"whilePending": "merge",
               "trigger": {"type": "or", "triggers": [
                 {"type": "cron", "expression": "* * * * * ?"}, {"type": "event", "key": "k"}]},
               "constraints": [{"type": "timeWindow", "from": "12:00", "to": "13:00"}], %s}},
             "steps": [{"at": "2026-03-01T01:00:00Z", "outage": "PT1H"},
               {"at": "2026-03-01T01:30:00Z", "event": {"id": "e", "eventType": "k",
                 "namespace": "default", "payload": {}}}]}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "state")).containsOnlyOnce("PENDING_CONSTRAINT");
  }

  @Test
  void aRunThatIsNotReportedForADayFreesItsSlotAndFails() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-03T12:00:00Z",
             "schedules": {"default/etl": {"trigger": {"type": "cron", "expression": "0 0 3 * * ?"},
               "constraints": [{"type": "concurrency", "max": 1}], %s}},
             "programs": {"default/etl": {"runsFor": "PT36H"}}}
            """
                .formatted(TARGET));
    JsonNode first = jobs.get(0);
    assertThat(states(first)).containsExactly("PENDING_LAUNCH", "ENQUEUED", "RUNNING", "FAILED");
    assertThat(first.path("state").asText()).isEqualTo("FAILED");
    assertThat(at(first, "FAILED", 1)).isEqualTo("2026-03-02T03:00:00Z");
    assertThat(transitions(first).get(3).path("reasonCode").asText()).isEqualTo("RUN_END_MISSING");
  }

  @ParameterizedTest
  @CsvSource({
    "SUCCEEDED, SUCCEEDED",
    "CANCELLED, CANCELLED",
  })
  void aTrackedRunEndsWithTheOutcomeOfTheScenario(String outcome, String state) {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
             "schedules": {
               "default/load": {"trigger": {"type": "at", "time": "2026-03-01T01:00:00Z"},
                 "tracking": {}, %1$s},
               "default/cleanup": {"trigger": {"type": "programStatus", "program": "load",
                 "statuses": ["%2$s"]}, %1$s}},
             "programs": {"default/load": {"runsFor": "PT5M", "outcome": "%2$s"}}}
            """
                .formatted(TARGET, outcome));
    assertThat(texts(jobs, "schedule")).containsExactly("default/load", "default/cleanup");
    assertThat(texts(jobs, "state")).containsExactly(state, "LAUNCHED");
  }

  private static final String TRACKED =
      """
      {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
       "schedules": {
         "default/load": {"trigger": {"type": "at", "time": "2026-03-01T01:00:00Z"},
           "tracking": {"heartbeatTimeout": "PT1M", "runTimeout": "PT30M"},
           "retry": {"maxAttempts": 3, "backoff": "PT1M", "rate": 2, "maxBackoff": "PT10M"}, %s},
         "default/after": {"trigger": {"type": "programStatus", "program": "load",
           "statuses": ["SUCCEEDED", "FAILED"]}, %s}},
       %s}
      """;

  private List<JsonNode> tracked(String more) {
    return play(TRACKED.formatted(TARGET, TARGET, more));
  }

  private static List<JsonNode> transitions(JsonNode job) {
    return StreamSupport.stream(job.path("transitions").spliterator(), false).toList();
  }

  private static Instant at(JsonNode job, String state, int time) {
    return transitions(job).stream()
        .filter(it -> it.path("state").asText().equals(state))
        .skip(time - 1L)
        .map(it -> Instant.parse(it.path("at").asText()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTrackedProgramThatFailsIsRetriedAfterTheDrawnDelays() {
    List<JsonNode> jobs =
        tracked(
            "\"programs\": {\"default/load\": {\"runsFor\": \"PT5M\", \"outcome\": \"FAILED\"}}");
    JsonNode job = jobs.get(0);
    assertThat(states(job))
        .filteredOn(state -> !state.equals("PENDING_LAUNCH"))
        .containsExactly(
            "ENQUEUED",
            "CLAIMED",
            "RUNNING",
            "RETRY_WAIT",
            "ENQUEUED",
            "CLAIMED",
            "RUNNING",
            "RETRY_WAIT",
            "ENQUEUED",
            "CLAIMED",
            "RUNNING",
            "FAILED");
    assertThat(job.path("launches")).hasSize(3);
    RetryPolicy policy = new RetryPolicy(3, Duration.ofMinutes(1), 2, Duration.ofMinutes(10));
    JobId id = JobId.parse(job.path("jobId").asText());
    for (int attempt = 1; attempt < 3; attempt++) {
      assertThat(at(job, "ENQUEUED", attempt + 1))
          .isEqualTo(
              at(job, "RETRY_WAIT", attempt).plus(RunDecision.retryDelay(policy, id, attempt)));
    }
    assertThat(jobs).hasSize(2);
    assertThat(Instant.parse(jobs.get(1).at("/launches/0/at").asText()))
        .isEqualTo(at(job, "FAILED", 1));
  }

  @Test
  void aTrackedRunEndsWithItsTimeoutAndItsLateReportHasNoEffect() {
    JsonNode job = tracked("\"programs\": {\"default/load\": {\"runsFor\": \"PT31M\"}}").get(0);
    assertThat(job.path("state").asText()).isEqualTo("FAILED");
    assertThat(transitions(job))
        .filteredOn(it -> it.path("reasonCode").asText().equals("RUN_TOO_LONG"))
        .hasSize(3);
  }

  @Test
  void aTrackedRunLastsUntilAStepEndsIt() {
    JsonNode job =
        tracked(
                """
                "programs": {"default/load": {}},
                "steps": [{"at": "2026-03-01T01:20:00Z", "finish": "default/load"}]
                """)
            .get(0);
    assertThat(states(job)).endsWith("RUNNING", "SUCCEEDED");
    assertThat(at(job, "SUCCEEDED", 1)).isEqualTo("2026-03-01T01:20:00Z");
  }

  /** The first attempt has timed out at 01:30. */
  @Test
  void aStepEndsTheAttemptThatRunsAndNoneThatHasTimedOut() {
    JsonNode job =
        tracked(
                """
                "programs": {"default/load": {}},
                "steps": [{"at": "2026-03-01T01:40:00Z", "finish": "default/load"}]
                """)
            .get(0);
    assertThat(at(job, "RETRY_WAIT", 1)).isEqualTo("2026-03-01T01:30:00Z");
    assertThat(at(job, "SUCCEEDED", 1)).isEqualTo("2026-03-01T01:40:00Z");
  }

  @Test
  void aRunThatHasTimedOutCannotBeEnded() {
    String once = TRACKED.replace("\"maxAttempts\": 3", "\"maxAttempts\": 1");
    assertThat(
            faults(
                once.formatted(
                    TARGET,
                    TARGET,
                    """
                    "programs": {"default/load": {}},
                    "steps": [{"at": "2026-03-01T01:40:00Z", "finish": "default/load"}]
                    """)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.pointer()).isEqualTo("/steps/0/finish"));
  }

  @Test
  void aRunThatHasTimedOutFreesTheWorkerOfItsPool() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T02:00:00Z",
             "pools": {"default/encode": {"workers": 1}},
             "programs": {"default/encoder": {}},
             "schedules": {
               "default/a": {"program": "encoder", "pool": "encode", "target": {"template": {}},
                 "tracking": {"runTimeout": "PT30M"}, "retry": {"maxAttempts": 1},
                 "trigger": {"type": "at", "time": "2026-03-01T00:01:00Z"}},
               "default/b": {"program": "encoder", "pool": "encode", "target": {"template": {}},
                 "trigger": {"type": "at", "time": "2026-03-01T00:02:00Z"}}}}
            """);
    assertThat(at(jobs.get(0), "FAILED", 1)).isEqualTo("2026-03-01T00:31:00Z");
    assertThat(at(jobs.get(1), "RUNNING", 1)).isEqualTo("2026-03-01T00:31:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "'', finish, 0",
    "'\"tracking\": {},', finish, 0",
    "'', put, 1",
    "'\"tracking\": {},', put, 1",
  })
  void theStepsOfOneInstantTakeEffectInTheirOrder(String tracking, String first, int launches) {
    String finish = "{\"at\": \"2026-03-01T04:00:00Z\", \"finish\": \"default/etl\"}";
    String put =
        """
        {"at": "2026-03-01T04:00:00Z", "put": {"default/report": {%s, "state": "ACTIVE",
           "trigger": {"type": "programStatus", "program": "etl", "statuses": ["SUCCEEDED"]}}}}
        """
            .formatted(TARGET);
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T05:00:00Z",
             "schedules": {"default/etl": {%s %s,
               "trigger": {"type": "at", "time": "2026-03-01T03:00:00Z"}}},
             "programs": {"default/etl": {}},
             "steps": [%s]}
            """
                .formatted(
                    tracking,
                    TARGET,
                    first.equals("finish") ? finish + "," + put : put + "," + finish));
    assertThat(jobs)
        .filteredOn(job -> job.path("schedule").asText().equals("default/report"))
        .hasSize(launches);
    assertThat(texts(jobs, "state")).contains("SUCCEEDED");
  }

  @Test
  void aTrackedScheduleWhoseProgramIsNotGivenEndsAtItsLaunch() {
    JsonNode job =
        play(TRACKED
                .replace("\"retry\"", "\"operations\": [{\"id\": \"read\"}], \"retry\"")
                .formatted(TARGET, TARGET, "\"steps\": []"))
            .get(0);
    assertThat(job.path("state").asText()).isEqualTo("LAUNCHED");
  }

  @Test
  void callbacksAreShownApartFromLaunches() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T12:00:00Z",
             "schedules": {
               "default/etl": {
                 "trigger": {"type": "cron", "expression": "0 0 3 * * ?"},
                 "constraints": [{"type": "concurrency", "max": 1}],
                 "onEnd": {"queue": "ended", "template": {"how": "${outcome}"}}, %s},
               "default/plain": {
                 "trigger": {"type": "cron", "expression": "0 0 4 * * ?"}, %s}},
             "programs": {"default/etl": {"runsFor": "PT5M", "outcome": "FAILED"}}}
            """
                .formatted(TARGET, TARGET));
    assertThat(jobs.get(0).path("launches")).hasSize(1);
    assertThat(jobs.get(0).path("callbacks")).hasSize(1);
    assertThat(jobs.get(0).at("/callbacks/0/at").asText()).isEqualTo("2026-03-01T03:05:00.000Z");
    assertThat(jobs.get(0).at("/callbacks/0/queue").asText()).endsWith("ended");
    assertThat(jobs.get(0).at("/callbacks/0/body/how").asText()).isEqualTo("FAILED");
    assertThat(jobs.get(1).has("callbacks")).isFalse();
  }

  @Test
  void stepsComeBeforeFiresOfTheSameInstant() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T08:30:00Z",
             "schedules": {"default/hourly": {
               "trigger": {"type": "cron", "expression": "0 0 * * * ?"}, %1$s}},
             "steps": [
               {"at": "2026-03-01T02:00:00Z", "suspend": "default/hourly"},
               {"at": "2026-03-01T04:00:00Z", "resume": "default/hourly"},
               {"at": "2026-03-01T06:00:00Z", "put": {"default/hourly": {
                 "trigger": {"type": "cron", "expression": "0 15 * * * ?"}, %1$s}}},
               {"at": "2026-03-01T08:15:00Z", "delete": "default/hourly"}]}
            """
                .formatted(TARGET));
    assertThat(texts(jobs, "scheduledFor"))
        .containsExactly(
            "2026-03-01T01:00:00.000Z",
            "2026-03-01T05:00:00.000Z",
            "2026-03-01T06:15:00.000Z",
            "2026-03-01T07:15:00.000Z");
    assertThat(texts(jobs, "state")).containsOnly("LAUNCHED");
  }

  @Test
  void aScheduleStoredAsSuspendedMakesNoJob() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T08:30:00Z",
             "schedules": {"default/hourly": {"state": "SUSPENDED",
               "trigger": {"type": "cron", "expression": "0 0 * * * ?"}, %s}}}
            """
                .formatted(TARGET));
    assertThat(jobs).isEmpty();
  }

  @Test
  void tenYearsCanBeSimulated() {
    List<JsonNode> jobs =
        play(
            """
            {"from": "2026-01-01T00:00:00Z", "to": "2036-01-01T00:00:00Z",
             "schedules": {"default/daily": {
               "trigger": {"type": "cron", "expression": "0 0 3 * * ?"}, %s}}}
            """
                .formatted(TARGET));
    assertThat(jobs).hasSize(3_652);
  }

  @Test
  void tooManyJobsAreRefusedWithTheInstantAtWhichTheyExceedTheLimit() {
    assertTooManyJobs(new Simulation(PARSER, POLICY, 1_000), "1000 jobs at 2026-01-01T00:16:4");
  }

  @Tag("proof")
  @Test
  void aHundredThousandJobsAreSimulatedAndTheNextOneIsRefused() {
    assertTooManyJobs(simulation, "100000 jobs at 2026-01-02T03:46:4");
  }

  @Test
  void jobsThatCauseEachOtherWithoutEndAtOneInstantAreRefused() {
    String loop =
        """
        {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T01:00:00Z",
         "pools": {"default/p": {}},
         "schedules": {"default/loop": {"pool": "p", "target": {"template": {}},
           "trigger": {"type": "programStatus", "program": "loop", "statuses": ["SUCCEEDED"]}}},
         "steps": [{"at": "2026-03-01T00:10:00Z",
           "event": {"namespace": "default", "eventType": "PROGRAM_STATUS",
                     "payload": {"programId": "loop", "status": "SUCCEEDED"}}}]}
        """;
    List<Fault> found =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> faults(new Simulation(PARSER, POLICY, 100), loop));
    assertThat(found)
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/to");
              assertThat(fault.detail()).contains("100 jobs at 2026-03-01T00:10:00.000Z");
            });
  }

  private static void assertTooManyJobs(Simulation limited, String detail) {
    assertThat(
            faults(
                limited,
                """
                {"from": "2026-01-01T00:00:00Z", "to": "2027-01-01T00:00:00Z",
                 "schedules": {"default/tick": {
                   "trigger": {"type": "cron", "expression": "* * * * * ?"}, %s}}}
                """
                    .formatted(TARGET)))
        .singleElement()
        .satisfies(
            fault -> {
              assertThat(fault.pointer()).isEqualTo("/to");
              assertThat(fault.detail()).contains(detail);
            });
  }

  @Test
  void aScenarioThatExceedsItsTimeIsRefused() {
    JsonNode scenario =
        Json.readObject(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T00:00:03Z"}
            """);
    Deadline over = new Deadline(Instant.EPOCH, InstantSource.fixed(Instant.EPOCH));
    assertThatThrownBy(() -> simulation.simulate(scenario, over))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid -> assertThat(invalid.faults().get(0).pointer()).isEqualTo("/to"));
  }

  @Test
  void tooManySchedulesAreRefusedBeforeTheyAreRead() {
    StringBuilder schedules = new StringBuilder();
    for (int i = 0; i <= 1_000; i++) {
      schedules.append(i == 0 ? "" : ",").append("\"default/s%d\": {}".formatted(i));
    }
    assertThat(
            faults(
                """
                {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z",
                 "schedules": {%s}}
                """
                    .formatted(schedules)))
        .singleElement()
        .satisfies(fault -> assertThat(fault.detail()).contains("give at most 1000 schedules"));
  }

  @Test
  void theDeadlineAlsoAppliesToStoringSchedules() {
    JsonNode scenario =
        Json.readObject(
            """
            {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T00:00:03Z", "schedules":
              {"default/a": {"trigger": {"type": "cron", "expression": "* * * * * ?"}, %s},
               "default/b": {"trigger": {"type": "cron", "expression": "* * * * * ?"}, %s}}}
            """
                .formatted(TARGET, TARGET));
    AtomicInteger looks = new AtomicInteger();
    InstantSource clock = () -> Instant.ofEpochSecond(looks.getAndIncrement());
    Deadline atSecondCheck = new Deadline(Instant.ofEpochSecond(1), clock);
    assertThatThrownBy(() -> simulation.simulate(scenario, atSecondCheck))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid ->
                assertThat(invalid.faults().get(0).detail())
                    .contains("ran out of time at 2026-03-01T00:00:00.000Z"));
    assertThat(looks).hasValue(2);
  }

  @Test
  void everyFaultOfAScenarioIsReported() {
    assertThat(
            faults(
                """
                {"from": "2026-03-02T00:00:00Z", "to": "2026-03-01T00:00:00Z", "speed": 2,
                 "schedules": {"report": {}, "default/a": {"trigger": {"type": "cron"}}},
                 "programs": {"default/etl": {"runsFor": "soon"}},
                 "steps": [
                   {"at": "2026-03-01T10:00:00Z"},
                   {"event": {"eventType": "PARTITION", "payload": {}}},
                   {"at": "2026-03-01T10:00:00Z", "finish": "default/other"},
                   {"at": "2026-03-01T10:00:00Z", "delete": "a", "mode": "hold"}]}
                """))
        .extracting(Fault::pointer)
        .contains(
            "/speed",
            "/to",
            "/schedules/report",
            "/schedules/default~1a/target",
            "/programs/default~1etl/runsFor",
            "/steps/0",
            "/steps/1/at",
            "/steps/1/event/payload/datasetId",
            "/steps/2/finish",
            "/steps/3/delete",
            "/steps/3/mode");
  }

  @Test
  void aStepThatIsImpossibleAtItsInstantIsRefused() {
    assertThat(
            faults(
                """
                {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z",
                 "programs": {"default/etl": {}},
                 "steps": [{"at": "2026-03-01T10:00:00Z", "delete": "default/nothing"}]}
                """))
        .singleElement()
        .satisfies(fault -> assertThat(fault.pointer()).isEqualTo("/steps/0/delete"));
    assertThat(
            faults(
                """
                {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z",
                 "programs": {"default/etl": {}},
                 "steps": [{"at": "2026-03-01T10:00:00Z", "finish": "default/etl"}]}
                """))
        .singleElement()
        .satisfies(fault -> assertThat(fault.pointer()).isEqualTo("/steps/0/finish"));
  }

  private List<Fault> faults(String scenario) {
    return faults(simulation, scenario);
  }

  private static List<Fault> faults(Simulation simulation, String scenario) {
    try {
      simulation.simulate(Json.readObject(scenario), endless());
    } catch (InvalidDocument invalid) {
      return invalid.faults();
    }
    throw new AssertionError("the invalid scenario was accepted");
  }

  private List<JsonNode> play(String scenario) {
    ObjectNode timeline = simulation.simulate(Json.readObject(scenario), endless());
    ArrayNode jobs = (ArrayNode) timeline.path("jobs");
    return StreamSupport.stream(jobs.spliterator(), false).toList();
  }

  private static Deadline endless() {
    return new Deadline(Instant.MAX, InstantSource.fixed(Instant.EPOCH));
  }

  private static List<String> texts(List<JsonNode> jobs, String field) {
    return jobs.stream().map(job -> job.path(field).asText()).toList();
  }

  private static List<String> states(JsonNode job) {
    return job.path("transitions").findValuesAsText("state");
  }
}
