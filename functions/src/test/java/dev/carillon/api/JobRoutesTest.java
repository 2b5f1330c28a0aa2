package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRoutesTest {

  private static final String JOBS = "/v1/namespaces/default/jobs/";
  private static final String WORK_ARN = "arn:aws:sqs:us-east-1:000000000000:work";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private JsonNode jobs(String name, String query) {
    return caller.get(Caller.SCHEDULES + "/" + name + "/jobs" + query).is(200).json();
  }

  private JsonNode onlyJob(String name) {
    JsonNode jobs = jobs(name, "").path("jobs");
    assertThat(jobs).hasSize(1);
    return jobs.get(0);
  }

  private JsonNode explained(JsonNode job) {
    return caller.get(JOBS + job.path("jobId").asText() + "/explain").is(200).json();
  }

  private JsonNode explainedSchedule(String name) {
    return caller.get(Caller.SCHEDULES + "/" + name + "/explain").is(200).json();
  }

  @Test
  void aLaunchedFireIsShownWithItsHistory() {
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofSeconds(60));
    JsonNode job = onlyJob("a");

    assertThat(job.path("namespace").asText()).isEqualTo("default");
    assertThat(job.path("schedule").asText()).isEqualTo("a");
    assertThat(job.path("program").asText()).isEqualTo("a");
    assertThat(job.path("state").asText()).isEqualTo("LAUNCHED");
    assertThat(job.path("attempt").asInt()).isEqualTo(1);
    assertThat(job.path("generation").asLong()).isEqualTo(1);
    assertThat(job.path("scheduledFor").asText()).isEqualTo("2026-03-10T12:01:00.000Z");
    assertThat(job.path("launchedAt").asText()).isEqualTo("2026-03-10T12:01:00.000Z");
    assertThat(job.path("priority").asInt()).isEqualTo(5);
    assertThat(job.path("customer").isNull()).as("it has none").isTrue();
    assertThat(job.has("worker") || job.has("progress")).as("it is not tracked").isFalse();
    assertThat(job.path("transitions").findValuesAsText("state"))
        .containsExactly("PENDING_LAUNCH", "LAUNCHED");
    assertThat(caller.get(JOBS + job.path("jobId").asText()).is(200).json()).isEqualTo(job);
  }

  @Test
  void aJobShowsItsCallback() {
    String ended = "arn:aws:sqs:us-east-1:000000000000:ended";
    world.targets.lose(ended);
    caller.put(
        "a",
        Docs.of(
            MINUTELY,
            ", \"state\": \"ACTIVE\", \"onEnd\": {\"queue\": \"ended\", \"template\": \"${outcome}\"}"));
    world.runFor(Duration.ofSeconds(60));
    JsonNode refused = onlyJob("a");
    assertThat(refused.at("/callback/sentAt").isNull()).isTrue();
    assertThat(refused.at("/callback/refusals").asInt()).isEqualTo(1);
    assertThat(refused.at("/callback/trouble").asText())
        .isEqualTo("the queue does not exist; create it");
    assertThat(refused.at("/callback/nextTry").asText()).isEqualTo("2026-03-10T12:01:01.000Z");
    assertThat(explained(refused).path("summary").asText())
        .contains(
            "its callback was refused: the queue does not exist; create it; the next attempt is at");
    assertThat(caller.get("/v1/status").is(200).json().path("jobs")).isEmpty();

    world.targets.accept(ended);
    world.runFor(Duration.ofSeconds(5));
    JsonNode sent = onlyJob("a");
    assertThat(sent.at("/callback/sentAt").asText()).isEqualTo("2026-03-10T12:01:01.000Z");
    assertThat(sent.at("/callback/trouble").isNull()).isTrue();
    assertThat(explained(sent).path("summary").asText()).contains("its callback was accepted at");
  }

  @Test
  void aJobThatCallsNothingBackShowsNoCallback() {
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofSeconds(60));
    assertThat(onlyJob("a").has("callback")).isFalse();
    assertThat(explained(onlyJob("a")).path("summary").asText()).doesNotContain("callback");
  }

  @Test
  void pagesAreOrderedFromTheNewestToTheOldest() {
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofMinutes(5));
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = jobs("a", "?limit=2" + next);
      seen.addAll(page.path("jobs").findValuesAsText("scheduledFor"));
      next = page.path("next").isNull() ? "" : "&next=" + page.path("next").asText();
    } while (!next.isEmpty());

    assertThat(seen)
        .containsExactly(
            "2026-03-10T12:05:00.000Z",
            "2026-03-10T12:04:00.000Z",
            "2026-03-10T12:03:00.000Z",
            "2026-03-10T12:02:00.000Z",
            "2026-03-10T12:01:00.000Z");
  }

  @Test
  void aCollectingJobComesFirstAndCountsForThePage() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    for (int i = 0; i < 5; i++) {
      world.partitions("d", 1);
      world.runFor(Duration.ofSeconds(10));
    }
    List<String> states = new ArrayList<>();
    String next = "";
    do {
      JsonNode page = jobs("a", "?limit=1" + next);
      assertThat(page.path("jobs")).hasSize(1);
      states.add(page.path("jobs").path(0).path("state").asText());
      next = page.path("next").isNull() ? "" : "&next=" + page.path("next").asText();
    } while (!next.isEmpty());

    assertThat(states).containsExactly("PENDING_TRIGGER", "LAUNCHED", "LAUNCHED");
    assertThat(jobs("a", "?state=PENDING_TRIGGER").path("jobs")).hasSize(1);
    assertThat(jobs("a", "?state=LAUNCHED").path("jobs")).hasSize(2);
    assertThat(jobs("a", "?state=FAILED").path("jobs")).isEmpty();
  }

  @Test
  void aCollectingJobIsReadByItsIdAndNamesWhatItNeeds() {
    caller.put("a", Docs.active(Docs.and(DAILY, Docs.partition("d", 3), Docs.partition("e", 1))));
    world.partitions("d", 2);
    world.partitions("e", 1);
    world.runFor(Duration.ofSeconds(1));
    JsonNode job = onlyJob("a");
    JsonNode explanation = explained(job);

    assertThat(job.path("state").asText()).isEqualTo("PENDING_TRIGGER");
    assertThat(job.path("scheduledFor").isNull()).isTrue();
    assertThat(job.properties())
        .as("what is not decided yet")
        .extracting(Map.Entry::getKey)
        .doesNotContain("customer", "priority", "attempt", "worker", "progress");
    assertThat(caller.get(JOBS + job.path("jobId").asText()).is(200).json()).isEqualTo(job);
    assertThat(explanation.path("summary").asText())
        .endsWith("; conditions not yet satisfied: 2 of 3");
    assertThat(explanation.path("unsatisfied"))
        .isEqualTo(
            Caller.json(
                """
                [{"leaf": 0, "type": "cron", "keys": [], "have": 0, "need": 1, "satisfied": false},
                 {"leaf": 1, "type": "partition", "keys": ["partition:d"], "have": 2, "need": 3,
                  "satisfied": false}]
                """));
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-11T03:00:00.000Z");
  }

  @Test
  void aJobNamesWhatItsTriggerCountedBeforeAndAfterItsLaunch() {
    caller.put("a", Docs.active(Docs.and(Docs.partition("d", 2), Docs.partition("e", 1))));
    world.partitions("d", 2);
    world.runFor(Duration.ofSeconds(1));
    JsonNode collecting = explained(onlyJob("a")).path("trigger");
    assertThat(collecting.path("leaves").findValuesAsText("satisfied"))
        .containsExactly("true", "false");
    world.partitions("e", 1);
    world.runFor(Duration.ofSeconds(5));

    JsonNode job = onlyJob("a");
    assertThat(job.path("state").asText()).isEqualTo("LAUNCHED");
    JsonNode trigger = explained(job).path("trigger");
    assertThat(trigger.path("leaves"))
        .isEqualTo(
            Caller.json(
                """
                [{"leaf": 0, "type": "partition", "keys": ["partition:d"], "have": 2, "need": 2,
                  "satisfied": true},
                 {"leaf": 1, "type": "partition", "keys": ["partition:e"], "have": 1, "need": 1,
                  "satisfied": true}]
                """));
    assertThat(trigger.path("events").findValuesAsText("datasetId")).contains("d", "e");
    assertThat(trigger.path("events").path(0).path("id").asText()).isNotEmpty();
    assertThat(trigger.path("eventsOmitted").asInt()).isZero();
    caller.put("b", Docs.active("{\"type\": \"manual\"}"));
    caller.act("b", "launch", "{}").is(202);
    assertThat(explained(onlyJob("b")).has("trigger")).isFalse();
  }

  @Test
  void aJobShowsItsTimeoutAndTheActionAtIt() {
    caller.put(
        "a",
        with(
            Docs.active(Docs.and(DAILY, Docs.partition("d", 1))),
            "\"timeout\": {\"after\": \"PT1H\", \"action\": \"launch\"}"));
    caller.put(
        "b",
        with(
            Docs.active(Docs.partition("d", 1)),
            "\"timeout\": {\"after\": \"P2D\", \"action\": \"discard\"}, \"constraints\":"
                + " [{\"type\": \"timeWindow\", \"from\": \"03:00\", \"to\": \"04:00\"}]"));
    caller.put("c", Docs.active(Docs.partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));

    JsonNode launched =
        Caller.json("{\"at\": \"2026-03-10T13:00:00.000Z\", \"action\": \"launch\"}");
    assertThat(explained(onlyJob("a")).path("timesOut")).isEqualTo(launched);
    assertThat(explained(onlyJob("a")).path("nextCheckAt").asText())
        .isEqualTo("2026-03-10T13:00:00.000Z");
    assertThat(explainedSchedule("a").at("/collecting/timesOut")).isEqualTo(launched);
    assertThat(explained(onlyJob("b")).path("timesOut"))
        .isEqualTo(Caller.json("{\"at\": \"2026-03-12T12:00:00.000Z\", \"action\": \"discard\"}"));
    assertThat(explained(onlyJob("c")).path("timesOut").isNull()).isTrue();
    assertThat(explainedSchedule("c").at("/collecting/timesOut").isNull()).isTrue();

    world.runFor(Duration.ofDays(3));
    assertThat(explained(jobs("b", "").path("jobs").path(0)).path("timesOut").isNull()).isTrue();
  }

  private static String with(String document, String more) {
    String open = document.strip();
    return open.substring(0, open.length() - 1) + ", " + more + "}";
  }

  @Test
  void aRefusedJobNamesTheReasonAndItsNextAttempt() {
    world.targets.lose(WORK_ARN);
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:05.000Z")));
    world.runFor(Duration.ofMillis(5_500));
    JsonNode explanation = explained(onlyJob("a"));

    assertThat(explanation.path("state").asText()).isEqualTo("PENDING_CONSTRAINT");
    assertThat(explanation.path("waitsBecause").asText()).contains("does not exist");
    assertThat(explanation.path("nextCheckAt").asText()).isEqualTo("2026-03-10T12:00:06.000Z");
    assertThat(explanation.path("launch").path("refusals").asInt()).isEqualTo(1);
  }

  @Test
  void aScheduleShowsHowManyOfItsJobsWaitAndWhy() {
    world.targets.lose(WORK_ARN);
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofSeconds(121));
    JsonNode refused = explainedSchedule("a");
    assertThat(refused.path("unfinishedJobs").asInt()).isEqualTo(2);
    assertThat(refused.path("waitsBecause").asText())
        .startsWith(jobs("a", "").path("jobs").path(0).path("jobId").asText() + ": ")
        .contains("does not exist");

    world.targets.accept(WORK_ARN);
    world.runFor(Duration.ofMinutes(10));
    JsonNode well = explainedSchedule("a");
    assertThat(well.path("unfinishedJobs").asInt()).isZero();
    assertThat(well.path("waitsBecause").isNull()).isTrue();
  }

  @Test
  void aJobThatWaitsIsFoundAmongSkippedFires() {
    String more =
        ", \"state\": \"ACTIVE\", \"whilePending\": \"skip\","
            + " \"constraints\": [{\"type\": \"delay\", \"duration\": \"PT10M\"}]";
    caller.put("a", Docs.of("{\"type\": \"cron\", \"expression\": \"* * * * * ?\"}", more));
    world.runFor(Duration.ofSeconds(150));
    JsonNode explained = explainedSchedule("a");
    assertThat(explained.path("unfinishedJobs").asInt()).isEqualTo(1);
    assertThat(explained.path("waitsBecause").asText()).contains("its delay of PT10M");
  }

  @Test
  void anUnfinishedJobOfAnOldGenerationIsShownAsToBeCancelled() {
    world.targets.lose(WORK_ARN);
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:05Z")));
    world.runFor(Duration.ofMillis(5_500));
    JsonNode job = onlyJob("a");
    caller.put("a", Docs.of(DAILY)).is(200);

    assertThat(explained(job).path("summary").asText()).contains("will be cancelled");
    assertThat(caller.get(JOBS + job.path("jobId").asText()).json().path("state").asText())
        .isEqualTo("PENDING_CONSTRAINT");
  }

  @Test
  void anEndedJobShowsHowItEnded() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    caller.act("a", "suspend", "{}");
    JsonNode explanation = explained(onlyJob("a"));

    assertThat(explanation.path("state").asText()).isEqualTo("CANCELLED");
    assertThat(explanation.path("summary").asText()).startsWith("it was cancelled: ");
    assertThat(explanation.path("nextCheckAt").isNull()).isTrue();
  }

  @Test
  void theHistoryOfADeletedScheduleRemainsReadable() {
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofSeconds(60));
    caller.delete("a");

    assertThat(explained(onlyJob("a")).path("summary").asText()).contains("accepted");
    caller.get(Caller.SCHEDULES + "/a/explain").is(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "default~a~00001~000000000~~",
        "default~a~00001~0kdl0d5c0",
        "default~a~00001~0kdl0d5c0~e1",
        "other~a~00001~0kdl0d5c0",
        "%7E"
      })
  void idsOfNoJobOfTheNamespaceAreNotFound(String id) {
    caller.put("a", Docs.active(MINUTELY));
    caller.get(JOBS + id).is(404);
    caller.get(JOBS + id + "/explain").is(404);
  }

  @Test
  void aJobOfAnotherNamespaceIsNotFound() {
    caller.put("a", Docs.active(MINUTELY));
    world.runFor(Duration.ofSeconds(60));
    String id = onlyJob("a").path("jobId").asText();

    caller.get(JOBS + id).is(200);
    caller.get(JOBS + id.replace("~", "%7E")).is(200);
    caller.get("/v1/namespaces/other/jobs/" + id).is(404);
  }

  @Test
  void badParametersAreRefused() {
    caller.put("a", Docs.active(MINUTELY));
    String jobs = Caller.SCHEDULES + "/a/jobs";
    assertThat(caller.get(jobs + "?state=DONE&limit=0&next=x&page=2").is(400).pointers())
        .containsExactlyInAnyOrder("/query/state", "/query/limit", "/query/next", "/query/page");
    caller.get(Caller.SCHEDULES + "/none/jobs").is(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{\"a\": 1}", "{\"a\": \"x\"}", "no JSON", "\"00001\""})
  void aSealedPositionWhereNoPageEndedIsRefused(String position) {
    caller.put("a", Docs.active(MINUTELY));
    String next = Cursor.seal("jobs default/a null", position);
    assertThat(caller.get(Caller.SCHEDULES + "/a/jobs?next=" + next).is(400).pointers())
        .containsExactly("/query/next");
  }

  @Test
  void aScheduleShowsItsNextFire() {
    caller.put("a", Docs.active(DAILY));
    JsonNode explanation = explainedSchedule("a");

    assertThat(explanation.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(explanation.path("nextFire").asText()).isEqualTo("2026-03-11T03:00:00.000Z");
    assertThat(explanation.path("summary").asText()).contains("2026-03-11T03:00:00.000Z");
    assertThat(explanation.path("collecting").isNull()).isTrue();
  }

  @Test
  void theExplanationOfANewScheduleSaysHowToActivateIt() {
    caller.put("a", Docs.of(DAILY));
    assertThat(explainedSchedule("a").path("summary").asText())
        .isEqualTo(
            "it was never activated; activate it by POST /v1/namespaces/default/schedules/a/resume,"
                + " or store it with \"state\": \"ACTIVE\"");

    caller.act("a", "resume", "{}").is(200);
    caller.act("a", "suspend", "{}").is(200);
    assertThat(explainedSchedule("a").path("summary").asText()).startsWith("it was suspended by");
  }

  @Test
  void aScheduleWhoseTimesPassedBeforeItsActivationNeedsANewTrigger() {
    caller.put("a", Docs.of(Docs.at("2026-03-10T12:00:30Z"))).is(201);
    assertThat(explainedSchedule("a").path("summary").asText()).contains("activate it by POST");
    world.runUntil("2026-03-10T12:01:00Z");
    assertThat(explainedSchedule("a").path("summary").asText())
        .isEqualTo(
            "it was never activated, and all its times have passed; store it with a new trigger");
  }

  @Test
  void aSuspendedScheduleShowsItsCallerInstantAndReason() {
    caller.put("a", Docs.active(DAILY));
    caller.act("a", "suspend", "{\"reason\": \"repairs\"}");
    JsonNode explanation = explainedSchedule("a");

    assertThat(explanation.path("summary").asText())
        .isEqualTo("it was suspended by local at 2026-03-10T12:00:00.000Z, mode discard: repairs");
    assertThat(explanation.path("suspended").path("reason").asText()).isEqualTo("repairs");
  }

  @Test
  void aScheduleShowsWhatItHasCollectedSoFar() {
    caller.put("a", Docs.active(Docs.partition("d", 3)));
    world.partitions("d", 2);
    world.runFor(Duration.ofSeconds(1));
    JsonNode collecting = explainedSchedule("a").path("collecting");

    assertThat(collecting.path("jobId")).isEqualTo(onlyJob("a").path("jobId"));
    assertThat(collecting.path("leaves").path(0).path("have").asLong()).isEqualTo(2);
    assertThat(collecting.path("willBeCancelled").asBoolean()).isFalse();
  }
}
