package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.schedule.Schedules;
import dev.carillon.system.World;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramRoutesTest {

  private static final String PROGRAMS = "/v1/namespaces/default/programs/";
  private static final String ETL = ", \"program\": \"etl\"";
  private static final String ACTIVE_ETL = ETL + ", \"state\": \"ACTIVE\"";
  private static final String EACH_SECOND = "{\"type\": \"cron\", \"expression\": \"* * * * * ?\"}";
  private static final String DELAY = "{\"type\": \"delay\", \"duration\": \"PT80S\"}";
  private static final String MANUAL = "{\"type\": \"manual\"}";
  private static final String ONE_AT_A_TIME =
      ETL
          + ", \"constraints\": [{\"type\": \"concurrency\", \"max\": 1},"
          + " {\"type\": \"rate\", \"max\": 10, \"per\": \"PT1H\", \"group\": \"db\"},"
          + " {\"type\": \"sinceLastRun\", \"duration\": \"PT10M\"},"
          + " {\"type\": \"resource\", \"name\": \"disk\", \"atLeast\": 10}]";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private JsonNode page(String program) {
    return caller.get(PROGRAMS + program).is(200).json();
  }

  private String launch(String name) {
    String job = caller.act(name, "launch", "{}").is(202).json().path("jobId").asText();
    world.runFor(Duration.ofSeconds(1));
    return job;
  }

  private void end(String job) {
    world.event(
        "{\"eventType\": \"PROGRAM_STATUS\", \"payload\": {\"programId\": \"etl\", \"status\": \"SUCCEEDED\", \"runId\": \"%s\"}}"
            .formatted(job));
    world.runFor(Duration.ofSeconds(1));
  }

  private JsonNode delete(String program) {
    return caller.send("DELETE", PROGRAMS + program, null, Map.of()).is(200).json();
  }

  @Test
  void aProgramShowsItsSchedulesAndLastRuns() {
    caller.put("minutely", Docs.of(MINUTELY, ACTIVE_ETL));
    caller.put("daily", Docs.of(DAILY, ETL));
    caller.put("other", Docs.of(DAILY));
    world.runFor(Duration.ofMinutes(12));
    JsonNode page = page("etl");

    assertThat(page.path("schedules"))
        .isEqualTo(
            Caller.json(
                """
                [{"name": "daily", "state": "SUSPENDED", "nextFire": null},
                 {"name": "minutely", "state": "ACTIVE", "nextFire": "2026-03-10T12:13:00.000Z"}]
                """));
    assertThat(page.path("moreSchedules").asBoolean()).isFalse();
    assertThat(page.path("limits")).isEmpty();
    assertThat(page.path("lastRuns")).hasSize(10);
    assertThat(page.at("/lastRuns/0/launchedAt").asText()).isEqualTo("2026-03-10T12:12:00.000Z");
  }

  @Test
  void aProgramShowsItsLastRunsAmongSkippedFires() {
    String skipping = ", \"whilePending\": \"skip\", \"constraints\": [" + DELAY + "]";
    caller.put("often", Docs.of(EACH_SECOND, ACTIVE_ETL + skipping));
    world.runFor(Duration.ofSeconds(210));
    assertThat(page("etl").path("lastRuns")).hasSize(2);
  }

  @Test
  void aProgramShowsItsSlotHoldersWaitingJobsAndLimits() {
    caller.put("a", Docs.of(MANUAL, ONE_AT_A_TIME));
    caller.put("b", Docs.of(MANUAL, ONE_AT_A_TIME + ", \"priority\": 1"));
    world.report("disk", 12, null);
    String first = launch("a");
    String second = launch("a");
    String urgent = launch("b");
    JsonNode page = page("etl");

    JsonNode gates = page.path("gates");
    assertThat(gates.findValuesAsText("gate"))
        .containsExactly("resource disk", "group db", "program etl");
    JsonNode program = gates.get(2);
    assertThat(program.path("holders"))
        .isEqualTo(
            Caller.json(
                """
                [{"jobId": "%s", "since": "2026-03-10T12:00:00.000Z", "until": "2026-03-11T12:00:00.000Z"}]
                """
                    .formatted(first)));
    assertThat(program.path("holding").asInt()).isEqualTo(1);
    assertThat(program.path("waiting").asInt()).isEqualTo(2);
    assertThat(program.path("firstWaiting").findValuesAsText("jobId"))
        .containsExactly(urgent, second);
    assertThat(page.path("limits"))
        .isEqualTo(
            Caller.json(
                """
                [{"type": "concurrency", "gate": "program etl", "bound": 1, "duration": null,
                  "now": 1, "open": false, "opensAt": null,
                  "reason": "program etl is at its limit of unfinished jobs: 1 of at most 1"},
                 {"type": "rate", "gate": "group db", "bound": 10, "duration": "PT1H",
                  "now": 1, "open": true, "reason": null, "opensAt": null},
                 {"type": "sinceLastRun", "gate": "program etl", "bound": null,
                  "duration": "PT10M", "now": 1, "open": false, "opensAt": null,
                  "reason": "program etl has an unfinished run"},
                 {"type": "resource", "gate": "resource disk", "bound": 10, "duration": null,
                  "now": 12, "open": true, "reason": null, "opensAt": null}]
                """));
    assertThat(page.at("/lastRuns/0/state").asText()).isEqualTo("ENQUEUED");

    end(first);
    JsonNode paused = page("etl").path("limits").get(2);
    assertThat(paused.path("opensAt").asText()).isEqualTo("2026-03-10T12:10:03.000Z");
    assertThat(page("etl").at("/gates/2/lastSuccess").asText())
        .isEqualTo("2026-03-10T12:00:03.000Z");
  }

  @Test
  void theJobsOfAProgramAreOneListNewestFirst() {
    caller.put("a", Docs.of("{\"type\": \"cron\", \"expression\": \"0 * * * * ?\"}", ACTIVE_ETL));
    caller.put(
        "b", Docs.of("{\"type\": \"cron\", \"expression\": \"30 0/2 * * * ?\"}", ACTIVE_ETL));
    caller.put("c", Docs.of(Docs.partition("d", 2), ACTIVE_ETL));
    caller.put("other", Docs.active(MINUTELY));
    world.partitions("d", 3);
    world.runFor(Duration.ofSeconds(1));
    world.partitions("d", 1);
    world.runFor(Duration.ofMinutes(6));
    for (int limit = 1; limit <= 12; limit++) {
      List<String> seen = new ArrayList<>();
      String next = "";
      do {
        JsonNode page = caller.get(PROGRAMS + "etl/jobs?limit=" + limit + next).is(200).json();
        assertThat(page.path("jobs")).hasSizeLessThanOrEqualTo(limit).isNotEmpty();
        page.path("jobs")
            .forEach(
                job ->
                    seen.add(
                        job.path("schedule").asText()
                            + job.path("scheduledFor")
                                .asText()
                                .substring(job.path("scheduledFor").isNull() ? 0 : 13)));
        next = page.path("next").isNull() ? "" : "&next=" + page.path("next").asText();
      } while (!next.isEmpty());
      assertThat(seen)
          .as("limit %d", limit)
          .containsExactly(
              "cnull",
              "a:06:00.000Z",
              "a:05:00.000Z",
              "b:04:30.000Z",
              "a:04:00.000Z",
              "a:03:00.000Z",
              "b:02:30.000Z",
              "a:02:00.000Z",
              "a:01:00.000Z",
              "b:00:30.000Z",
              "c:00:00.000Z");
    }
    JsonNode collecting = caller.get(PROGRAMS + "etl/jobs?state=PENDING_TRIGGER").json();
    assertThat(collecting.path("jobs").findValuesAsText("schedule")).containsExactly("c");
    assertThat(caller.get(PROGRAMS + "etl/jobs?state=FAILED").json().path("jobs")).isEmpty();
    caller.get(PROGRAMS + "etl/jobs?next=x").is(400);
  }

  @Test
  void deletingAProgramDeletesItsSchedulesAndBreaksSchedulesThatWaitForIt() {
    caller.put("a", Docs.of(MINUTELY, ACTIVE_ETL));
    caller.put("b", Docs.of(DAILY, ETL));
    caller.put("other", Docs.of(DAILY));
    caller.put(
        "after",
        Docs.of(
            "{\"type\": \"programStatus\", \"program\": \"etl\", \"statuses\": [\"SUCCEEDED\"]}"));
    assertThat(broken()).isEmpty();

    assertThat(delete("etl").path("deleted").asInt()).isEqualTo(2);
    caller.schedule("a").is(404);
    caller.schedule("b").is(404);
    caller.schedule("other").is(200);
    assertThat(broken()).containsExactly("after");
    assertThat(delete("etl").path("deleted").asInt()).isZero();
    caller.get(PROGRAMS + "etl").is(404);
    caller.get(PROGRAMS + "etl/jobs").is(404);
  }

  @Test
  void deletingAProgramKeepsTheSchedulesOfApps() {
    String app = "/v1/namespaces/default/apps/exports";
    String body =
        "{\"programs\": [\"etl\"], \"schedules\": {\"a\": %s}}".formatted(Docs.of(DAILY, ETL));
    caller.send("PUT", app, body, Map.of()).is(201);
    caller.put("c", Docs.of(DAILY, ETL));

    JsonNode answer = delete("etl");
    assertThat(answer.path("deleted").asInt()).isEqualTo(1);
    assertThat(answer.path("keptByApps").asInt()).isEqualTo(1);

    caller.schedule("a").is(200);
    caller.schedule("c").is(404);
    assertThat(caller.get(app).is(200).json().path("schedules").toString()).isEqualTo("[\"a\"]");
  }

  @Test
  void aFailureAfterTheFirstDeletionSaysHowFarTheRequestGot() {
    int[] saves = {0};
    Caller unlucky =
        new Caller(
            world,
            real ->
                (Schedules)
                    Proxy.newProxyInstance(
                        Schedules.class.getClassLoader(),
                        new Class<?>[] {Schedules.class},
                        (proxy, method, arguments) -> {
                          if (method.getName().equals("save") && ++saves[0] == 2) {
                            throw new Caller.Throttled();
                          }
                          return method.invoke(real, arguments);
                        }));
    for (String name : List.of("a", "b", "c")) {
      caller.put(name, Docs.of(DAILY, ETL)).is(201);
    }
    Caller.Reply failed = unlucky.send("DELETE", PROGRAMS + "etl", null, Map.of()).is(503);
    assertThat(failed.json().path("detail").asText())
        .isEqualTo(
            "2 of 3 schedules were deleted; then: the request failed in Carillon; send the same request again");
    assertThat(failed.headers()).containsKey("Retry-After");
    assertThat(delete("etl").path("deleted").asInt()).isEqualTo(1);
  }

  private List<String> broken() {
    return caller
        .get(Caller.SCHEDULES + "?broken=true")
        .is(200)
        .json()
        .path("schedules")
        .findValuesAsText("name");
  }

  @Test
  void deletingTheLastScheduleOfAProgramBreaksSchedulesThatWaitForIt() {
    caller.put("a", Docs.of(DAILY, ETL));
    caller.put(
        "after",
        Docs.of("{\"type\": \"programStatus\", \"program\": \"etl\", \"statuses\": [\"FAILED\"]}"));
    assertThat(broken()).isEmpty();
    caller.delete("a").is(204);
    assertThat(broken()).containsExactly("after");
  }

  @Test
  void aProgramWithUnfinishedRunsIsShownAfterItsSchedulesAreDeleted() {
    caller.put("a", Docs.of(MANUAL, ONE_AT_A_TIME));
    world.report("disk", 12, null);
    String job = launch("a");
    delete("etl");
    JsonNode page = page("etl");
    assertThat(page.path("schedules")).isEmpty();
    assertThat(page.at("/gates/0/holders/0/jobId").asText()).isEqualTo(job);
    assertThat(caller.get(PROGRAMS + "etl/jobs").is(200).json().path("jobs")).isEmpty();
  }

  @Test
  void anUnknownProgramIsNotFound() {
    assertThat(caller.get(PROGRAMS + "nothing").is(404).json().path("detail").asText())
        .endsWith("GET /v1/namespaces/default/jobs?program=nothing");
    caller.get(PROGRAMS + "nothing/jobs").is(404);
    caller.get(PROGRAMS + "b@d").is(400);
  }
}
