package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackfillRoutesTest {

  private static final String ONE_AT_A_TIME =
      ", \"state\": \"ACTIVE\", \"program\": \"p\","
          + " \"constraints\": [{\"type\": \"concurrency\", \"max\": 1}]";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private Caller.Reply backfill(String from, String to, String more) {
    return caller.act(
        "a", "backfill", "{\"from\": \"%s\", \"to\": \"%s\"%s}".formatted(from, to, more));
  }

  private static String path(String id) {
    return "/v1/namespaces/default/schedules/a/backfills/" + id;
  }

  private JsonNode progress(String id) {
    return caller.get(path(id)).is(200).json();
  }

  private Caller.Reply cancel(String id) {
    return caller.send("DELETE", path(id), null, Map.of());
  }

  @Test
  void theFiresOfARangeAreLaunched() {
    caller.put("a", Docs.active(DAILY)).is(201);
    JsonNode begun =
        backfill("2025-01-01T03:00:00.000Z", "2025-01-11T03:00:00.000Z", ", \"concurrency\": 2")
            .is(202)
            .json();
    assertThat(begun.path("fires").asInt()).isEqualTo(10);
    assertThat(begun.path("state").asText()).isEqualTo("RUNNING");
    assertThat(begun.path("next").asText()).isEqualTo("2025-01-02T03:00:00.000Z");
    world.runFor(Duration.ofSeconds(1));

    JsonNode over = progress(begun.path("backfillId").asText());
    assertThat(over.path("state").asText()).isEqualTo("COMPLETED");
    assertThat(over.path("launched").asInt()).isEqualTo(10);
    assertThat(over.path("unfinished").asInt()).isZero();
    assertThat(over.path("ended").toString())
        .isEqualTo(
            "{\"LAUNCHED\":10,\"SUCCEEDED\":0,\"FAILED\":0,\"SKIPPED\":0,\"TIMED_OUT\":0,\"CANCELLED\":0}");
    assertThat(over.path("next").isNull()).isTrue();
    assertThat(over.path("endedAt").asText()).isNotEmpty();
    assertThat(world.bodies().get(9)).contains("2025-01-11T03:00:00.000Z");
  }

  @Test
  void aBackfillStoredAgainAfterALostReplyIsOneBackfill() {
    caller.put("a", Docs.active(DAILY)).is(201);
    caller.losesReplyToInsert = true;
    String id =
        backfill("2025-01-01T03:00:00Z", "2025-01-11T03:00:00Z", "")
            .is(202)
            .json()
            .path("backfillId")
            .asText();
    world.runFor(Duration.ofMinutes(3));

    assertThat(world.arrivals).hasSize(10);
    assertThat(progress(id).path("state").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void itsJobsAreListedAndExplained() {
    caller.put("a", Docs.of(DAILY, ONE_AT_A_TIME)).is(201);
    String id =
        backfill("2025-01-01T03:00:00.000Z", "2025-01-11T03:00:00.000Z", ", \"concurrency\": 2")
            .json()
            .path("backfillId")
            .asText();
    world.runFor(Duration.ofSeconds(1));

    JsonNode jobs =
        caller.get("/v1/namespaces/default/schedules/a/jobs").is(200).json().path("jobs");
    assertThat(jobs).hasSize(2);
    JsonNode waiting = jobs.get(0);
    assertThat(waiting.path("jobId").asText()).endsWith("~b" + id);
    assertThat(waiting.path("priority").asInt()).isEqualTo(9);
    assertThat(waiting.path("scheduledFor").asText()).isEqualTo("2025-01-03T03:00:00.000Z");
    JsonNode explanation =
        caller
            .get("/v1/namespaces/default/jobs/" + waiting.path("jobId").asText() + "/explain")
            .is(200)
            .json();
    assertThat(explanation.path("waitsBecause").asText()).contains("unfinished jobs");
  }

  @Test
  void aDryRunCountsAndChangesNothing() {
    caller.put("a", Docs.active(MINUTELY)).is(201);
    JsonNode found =
        backfill("2025-01-01T00:00:00.000Z", "2025-02-01T00:00:00.000Z", ", \"dryRun\": true")
            .is(200)
            .json();
    world.runFor(Duration.ofSeconds(1));

    assertThat(found.path("fires").asInt()).isEqualTo(31 * 1_440);
    assertThat(found.path("first")).hasSize(10);
    assertThat(found.path("first").get(0).asText()).isEqualTo("2025-01-01T00:01:00.000Z");
    assertThat(world.jobs.backfills()).isEmpty();
    assertThat(world.jobs.all()).isEmpty();
  }

  @Test
  void theRangeExcludesFromAndIncludesTo() {
    caller.put("a", Docs.active(MINUTELY)).is(201);
    JsonNode found =
        backfill("2025-01-01T00:00:00.000Z", "2025-01-01T00:02:00.000Z", ", \"dryRun\": true")
            .json();

    assertThat(found.path("first").toString())
        .isEqualTo("[\"2025-01-01T00:01:00.000Z\",\"2025-01-01T00:02:00.000Z\"]");
  }

  @Test
  void excludedFiresAreNotBackfilled() {
    caller
        .send(
            "PUT",
            "/v1/namespaces/default/calendars/closed",
            "{\"dates\": [\"2025-01-02\"]}",
            Map.of())
        .is(201);
    caller
        .put(
            "a",
            Docs.active(
                "{\"type\": \"cron\", \"expression\": \"0 0 3 * * ?\", \"exclude\": [\"closed\"]}"))
        .is(201);
    JsonNode found =
        backfill("2025-01-01T00:00:00.000Z", "2025-01-04T00:00:00.000Z", ", \"dryRun\": true")
            .json();

    assertThat(found.path("first").toString())
        .isEqualTo("[\"2025-01-01T03:00:00.000Z\",\"2025-01-03T03:00:00.000Z\"]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /from /to",
        "{\"from\": \"yesterday\", \"to\": 5} | /from /to",
        "{\"from\": \"2025-01-02T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\"} | /from",
        "{\"from\": \"2025-01-02T00:00:00Z\", \"to\": \"2099-01-02T00:00:00Z\"} | /to",
        "{\"from\": \"2099-01-03T00:00:00Z\", \"to\": \"2099-01-02T00:00:00Z\"} | /from /to",
        "{\"from\": \"2025-01-02T04:00:00Z\", \"to\": \"2025-01-02T05:00:00Z\"} | /from",
        "{\"concurrency\": 0, \"dryRun\": 1, \"confirm\": \"yes\"} | /from /to /concurrency /dryRun /confirm",
        "{\"concurrency\": 101, \"until\": 1} | /until /from /to /concurrency",
      })
  void everyFaultIsNamed(String body, String pointers) {
    caller.put("a", Docs.active(DAILY)).is(201);
    assertThat(caller.act("a", "backfill", body).is(400).pointers())
        .containsExactlyElementsOf(List.of(pointers.split(" ")));
    assertThat(world.jobs.backfills()).isEmpty();
  }

  @Test
  void moreThanTenThousandFiresNeedConfirmationAndMoreThanAHundredThousandAreRefused() {
    caller
        .put(
            "a",
            Docs.active(
                "{\"type\": \"rate\", \"every\": \"PT1S\", \"anchor\": \"2025-01-01T00:00:00Z\"}"))
        .is(201);
    String most = "2025-01-01T02:46:40Z";
    String more = "2025-01-01T02:46:41Z";
    assertThat(
            backfill("2025-01-01T00:00:00Z", most, ", \"dryRun\": true")
                .json()
                .path("fires")
                .asInt())
        .isEqualTo(10_000);
    assertThat(backfill("2025-01-01T00:00:00Z", more, "").is(400).pointers())
        .containsExactly("/confirm");
    assertThat(backfill("2025-01-01T00:00:00Z", more, ", \"confirm\": false").is(400).pointers())
        .containsExactly("/confirm");
    assertThat(world.jobs.backfills()).isEmpty();
    backfill("2025-01-01T00:00:00Z", more, ", \"confirm\": true").is(202);

    assertThat(
            backfill("2025-01-01T00:00:00Z", "2025-01-02T03:46:41Z", ", \"confirm\": true")
                .is(400)
                .pointers())
        .containsExactly("/to");
  }

  @Test
  void aRangeWhoseFiresAreNotCountedInTimeIsRefused() {
    caller.put("a", Docs.active(MINUTELY)).is(201);
    caller.perReading = Duration.ofMillis(10);
    for (String more : List.of("", ", \"dryRun\": true")) {
      Caller.Reply refused = backfill("2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z", more).is(400);
      assertThat(refused.pointers()).containsExactly("/to");
      assertThat(refused.body()).contains("are not counted within 18 s; give an earlier instant");
      backfill("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", ", \"dryRun\": true").is(200);
    }
    assertThat(world.jobs.backfills()).isEmpty();
  }

  @Test
  void onlyTriggersOfTimeLeavesAloneHaveBackfills() {
    caller.put("a", Docs.active(Docs.partition("d", 1))).is(201);
    backfill("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "").is(409);
    caller.put("a", Docs.active("{\"type\": \"manual\"}")).is(200);
    backfill("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "").is(409);
    caller.put("a", Docs.active(Docs.and(DAILY, Docs.partition("d", 1)))).is(200);
    assertThat(backfill("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z", "").is(409).pointers())
        .containsExactly("");
  }

  @Test
  void cancellingCanBeRepeated() {
    caller.put("a", Docs.of(DAILY, ONE_AT_A_TIME)).is(201);
    String id =
        backfill("2025-01-01T03:00:00Z", "2025-01-11T03:00:00Z", ", \"concurrency\": 3")
            .json()
            .path("backfillId")
            .asText();
    world.runFor(Duration.ofSeconds(1));
    cancel(id).is(204);
    cancel(id).is(204);
    world.runFor(Duration.ofSeconds(1));
    cancel(id).is(204);

    JsonNode cancelled = progress(id);
    assertThat(cancelled.path("state").asText()).isEqualTo("CANCELLED");
    assertThat(cancelled.path("reason").asText()).isEqualTo("cancelled by local");
    assertThat(cancelled.path("unfinished").asInt()).isEqualTo(1);
    assertThat(cancelled.path("ended").path("CANCELLED").asInt()).isEqualTo(2);
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aBackfillThatHasEndedIsNotChanged() {
    caller.put("a", Docs.active(DAILY)).is(201);
    String id =
        backfill("2025-01-01T03:00:00Z", "2025-01-02T03:00:00Z", "")
            .json()
            .path("backfillId")
            .asText();
    world.runFor(Duration.ofSeconds(1));
    cancel(id).is(204);

    assertThat(progress(id).path("state").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void aChangeOfTheScheduleShowsTheBackfillAsCancelledAtOnce() {
    caller.put("a", Docs.of(DAILY, ONE_AT_A_TIME)).is(201);
    String id =
        backfill("2025-01-01T03:00:00Z", "2025-01-11T03:00:00Z", "")
            .json()
            .path("backfillId")
            .asText();
    caller.put("a", Docs.active(MINUTELY)).is(200);
    assertThat(progress(id).path("state").asText()).isEqualTo("CANCELLED");
    assertThat(progress(id).path("reason").asText()).contains("changed");
    caller.delete("a").is(204);
    world.runFor(Duration.ofMinutes(3));

    assertThat(progress(id).path("state").asText()).isEqualTo("CANCELLED");
    assertThat(world.arrivals.stream().filter(it -> it.request().job().isOfBackfill())).isEmpty();
  }

  @Test
  void absentBackfillsAreNotFound() {
    caller.get(path("x1")).is(404);
    caller.put("a", Docs.active(DAILY)).is(201);
    caller.get(path("x1")).is(404);
    caller.get(path("NO-ID")).is(404);
    cancel("x1").is(404);
    caller
        .act(
            "b",
            "backfill",
            "{\"from\": \"2025-01-01T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\"}")
        .is(404);
  }

  @Test
  void theMasterStartsABackfillWhoseCheckWasNotSent() {
    caller.put("a", Docs.active(DAILY)).is(201);
    caller.checksFail = true;
    Caller.Reply begun = backfill("2025-01-01T03:00:00Z", "2025-01-04T03:00:00Z", "").is(202);
    caller.checksFail = false;
    world.runFor(Duration.ofSeconds(10));
    assertThat(world.arrivals).isEmpty();
    world.runFor(Duration.ofMinutes(2));

    assertThat(progress(begun.json().path("backfillId").asText()).path("state").asText())
        .isEqualTo("COMPLETED");
  }
}
