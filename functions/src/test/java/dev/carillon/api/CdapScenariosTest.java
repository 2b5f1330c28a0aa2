package dev.carillon.api;

import static dev.carillon.api.Docs.partition;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.system.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The test scenarios of the CDAP scheduler's redesign, by their numbers there. They use the API,
 * the ingest queue and the checker; properties reach the program in the launch request.
 */
class CdapScenariosTest {

  private static final String APP = "/v1/namespaces/default/apps/purchases";

  private final Caller caller = new Caller();
  private final World world = caller.world;

  /** A document whose launch request shows the version of the schedule. */
  private static String document(String trigger, String version) {
    return """
        {"trigger": %s, "program": "etl", "properties": {"version": "%s"}, "state": "ACTIVE",
         "target": {"queue": "work", "template": "${schedule} ${properties.version}"}}
        """
        .formatted(trigger, version);
  }

  private void deploy(boolean updates, String schedules) {
    String body =
        "{\"programs\": [\"etl\"], \"schedules\": {%s}, \"updateSchedules\": %s}"
            .formatted(schedules, updates);
    assertThat(caller.send("PUT", APP, body, Map.of()).status()).isBetween(200, 201);
  }

  private static String named(String name, String document) {
    return "\"" + name + "\": " + document;
  }

  private void pass(Duration time) {
    world.runFor(time);
  }

  private void partitionsArrive(String dataset, int count) {
    for (int i = 0; i < count; i++) {
      world.partitions(dataset, 1);
      pass(Duration.ofMillis(100));
    }
  }

  private List<String> listed() {
    return caller.get(Caller.SCHEDULES).is(200).json().path("schedules").findValuesAsText("name");
  }

  /**
   * 2: a schedule with properties launches; a deployment of its app changes the properties; the
   * next launch has the new ones.
   */
  @Test
  void scenario2NewPropertiesByDeployment() {
    deploy(true, named("minutely", document(Docs.MINUTELY, "1")));
    world.runUntil("2026-03-10T12:01:30Z");
    assertThat(world.bodies()).containsExactly("minutely 1");

    deploy(true, named("minutely", document(Docs.MINUTELY, "2")));
    world.runUntil("2026-03-10T12:02:30Z");
    assertThat(world.bodies()).containsExactly("minutely 1", "minutely 2");
  }

  /**
   * 3: a deployment without updates keeps the original schedules, and the new ones launch nothing;
   * a deployment with updates leaves only the schedules of the new app, and only they launch.
   */
  @Test
  void scenario3OtherSchedulesByDeployment() {
    String original =
        named("kept", document(partition("kept", 1), "1"))
            + ","
            + named("removed", document(partition("removed", 1), "1"));
    String updated =
        named("kept", document(partition("kept", 2), "2"))
            + ","
            + named("added", document(partition("added", 1), "2"));
    deploy(true, original);

    deploy(false, updated);
    assertThat(listed()).containsExactly("kept", "removed");
    partitionsArrive("kept", 1);
    partitionsArrive("removed", 1);
    partitionsArrive("added", 1);
    pass(Duration.ofSeconds(10));
    assertThat(world.bodies()).containsExactlyInAnyOrder("kept 1", "removed 1");

    deploy(true, updated);
    assertThat(listed()).containsExactly("added", "kept");
    partitionsArrive("kept", 2);
    partitionsArrive("removed", 1);
    partitionsArrive("added", 1);
    pass(Duration.ofSeconds(10));
    assertThat(world.bodies())
        .containsExactlyInAnyOrder("kept 1", "removed 1", "kept 2", "added 2");
  }

  /**
   * 4: one of five partitions arrives, then the properties change; four more partitions launch
   * nothing for ten seconds; the fifth since the change launches with the new properties.
   */
  @Test
  void scenario4AChangeRestartsTheCount() {
    caller.put("five", document(partition("d", 5), "1")).is(201);
    partitionsArrive("d", 1);
    caller.put("five", document(partition("d", 5), "2")).is(200);

    partitionsArrive("d", 4);
    pass(Duration.ofSeconds(10));
    assertThat(world.bodies()).isEmpty();

    partitionsArrive("d", 1);
    pass(Duration.ofSeconds(10));
    assertThat(world.bodies()).containsExactly("five 2");
  }

  /** 6: four of five partitions arrive, the schedule is deleted, the fifth arrives: no launch. */
  @Test
  void scenario6ADeletedScheduleLaunchesNothing() {
    caller.put("five", document(partition("d", 5), "1")).is(201);
    partitionsArrive("d", 4);

    caller.delete("five").is(204);
    world.partitions("d", 1);
    pass(Duration.ofSeconds(10));

    assertThat(world.bodies()).isEmpty();
  }

  private static String constrained(String trigger, String version, String constraints) {
    return document(trigger, version)
        .replaceFirst("\\{", "{\"constraints\": [" + constraints + "], ");
  }

  /**
   * 1: five partitions arrive within five minutes, and runs must be five minutes apart: only the
   * first run starts.
   */
  @Test
  void scenario1AMinimumIntervalBetweenRuns() {
    String interval =
        """
        {"type": "sinceLastRun", "duration": "PT5M", "onUnmet": "skip"}
        """;
    world.finishRunsAfter(Duration.ofSeconds(1));
    caller.put("any", constrained(partition("d", 1), "1", interval)).is(201);
    for (int i = 0; i < 5; i++) {
      partitionsArrive("d", 1);
      pass(Duration.ofMinutes(1));
    }
    assertThat(world.bodies()).containsExactly("any 1");
    assertThat(states("any"))
        .containsExactly("SKIPPED", "SKIPPED", "SKIPPED", "SKIPPED", "SUCCEEDED");

    pass(Duration.ofSeconds(1));
    partitionsArrive("d", 1);
    pass(Duration.ofSeconds(10));
    assertThat(world.bodies()).containsExactly("any 1", "any 1");
  }

  /** 5: while a job waits for its delay, a change lowers all requirements. */
  @Test
  void scenario5AChangeWhileAJobWaitsForItsDelay() {
    caller.put("some", constrained(partition("d", 5), "1", delay("PT10M"))).is(201);
    partitionsArrive("d", 5);
    assertThat(states("some")).containsExactly("PENDING_CONSTRAINT");

    caller.put("some", constrained(partition("d", 3), "2", delay("PT0.1S"))).is(200);
    partitionsArrive("d", 3);
    pass(Duration.ofMinutes(20));

    assertThat(world.bodies()).containsExactly("some 2");
    assertThat(states("some")).containsExactly("LAUNCHED", "CANCELLED");
  }

  /** 7: the schedule of a waiting job is deleted half a second before the delay ends. */
  @Test
  void scenario7ADeletionRightBeforeTheDelayEnds() {
    caller.put("five", constrained(partition("d", 5), "1", delay("PT40S"))).is(201);
    world.partitions("d", 5);
    pass(Duration.ofMillis(39_500));
    assertThat(states("five")).containsExactly("PENDING_CONSTRAINT");

    caller.delete("five").is(204);
    pass(Duration.ofMinutes(5));

    assertThat(world.bodies()).isEmpty();
  }

  /** 8: a job launches when the last of several constraints is satisfied. */
  @Test
  void scenario8AllConstraintsMustHold() {
    world.finishRunsAfter(Duration.ofMinutes(50));
    String constraints =
        """
        {"type": "delay", "duration": "PT10M"},
        {"type": "timeWindow", "from": "12:30", "to": "18:00"},
        {"type": "concurrency", "max": 1}
        """;
    caller.put("all", constrained(partition("d", 1), "1", constraints)).is(201);
    world.runUntil("2026-03-10T12:05:00Z");
    partitionsArrive("d", 1);
    world.runUntil("2026-03-10T12:29:59Z");
    assertThat(world.bodies()).as("the window is closed").isEmpty();
    world.runUntil("2026-03-10T12:30:05Z");
    assertThat(world.bodies()).as("the delay has ended and the window is open").hasSize(1);

    partitionsArrive("d", 1);
    world.runUntil("2026-03-10T13:19:55Z");
    assertThat(world.bodies()).as("the first run continues").hasSize(1);
    world.runUntil("2026-03-10T13:20:10Z");
    assertThat(world.bodies()).as("the first run has ended").hasSize(2);
  }

  private static String delay(String duration) {
    return "{\"type\": \"delay\", \"duration\": \"" + duration + "\"}";
  }

  /** The states of a schedule's jobs, newest first. */
  private List<String> states(String schedule) {
    JsonNode page = caller.get(Caller.SCHEDULES + "/" + schedule + "/jobs").is(200).json();
    List<String> states = new ArrayList<>();
    page.path("jobs").forEach(job -> states.add(job.path("state").asText()));
    return states;
  }
}
