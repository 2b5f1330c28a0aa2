package dev.carillon.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.document.Fault;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.id.ScheduleId;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An outage that so many fires miss that the limits must apply while they are caught up. */
class LongOutageTest {

  private static final ScheduleParser PARSER = new ScheduleParser(ZoneOffset.UTC);
  private static final TargetPolicy POLICY =
      new TargetPolicy("eu-west-1", "000000000000", "", List.of("*"), Set.of());
  private static final String SCHEDULE =
      """
      {"state": "ACTIVE", "trigger": {"type": "rate", "every": "PT1S"},
       "target": {"queue": "work", "template": {}}}
      """;
  private static final String FIRES_AND_EVENTS =
      """
      {"type": "or", "triggers": [
        {"type": "rate", "every": "PT1S"}, {"type": "size", "stream": "logs", "bytes": 1}]}
      """;

  private static final String SIZE_EVENT =
      """
      {"at": "2026-03-01T00:00:01Z",
       "event": {"eventType": "SIZE", "payload": {"streamId": "logs", "bytes": 1}}}
      """;

  private static final Duration THREE_DAYS = Duration.ofDays(3);
  private static final int MOST_JOBS = 1_000;

  /** A simulation that has caught up nothing yet at the end of an outage of three days. */
  private static World atTheEndOfAnOutage(Deadline deadline) {
    JsonNode document =
        Json.readObject("{\"from\": \"2026-03-01T00:00:00Z\", \"to\": \"2026-03-05T00:00:00Z\"}");
    World world = new World(ScenarioReader.read(document, PARSER), PARSER, POLICY, deadline);
    ScheduleId id = new ScheduleId("default", "tick");
    assertThat(world.calls().call("PUT", id, "", SCHEDULE).getStatusCode()).isEqualTo(201);
    world.stopFor(THREE_DAYS);
    world.advanceTo(world.now().plus(THREE_DAYS));
    return world;
  }

  private static void refuse() {
    throw new InvalidDocument(List.of());
  }

  @Test
  void theLimitOfJobsAppliesWhileMissedFiresAreCaughtUp() {
    World world = atTheEndOfAnOutage(endless());
    Runnable limit =
        () -> {
          if (world.jobs() > MOST_JOBS) {
            refuse();
          }
        };
    assertThatThrownBy(() -> world.settle(limit)).isInstanceOf(InvalidDocument.class);
    assertThat(world.jobs()).isBetween(MOST_JOBS, 20_000);
  }

  @Test
  void theDeadlineAppliesWhileMissedFiresAreHandedOver() {
    AtomicInteger reads = new AtomicInteger();
    Deadline atThirdRead =
        new Deadline(
            Instant.ofEpochSecond(2), () -> Instant.ofEpochSecond(reads.getAndIncrement()));
    World world = atTheEndOfAnOutage(atThirdRead);
    Runnable limit =
        () -> {
          if (atThirdRead.hasPassed()) {
            refuse();
          }
        };
    assertThatThrownBy(() -> world.settle(limit)).isInstanceOf(InvalidDocument.class);
    assertThat(world.jobs()).isZero();
  }

  /** The master stops once, because the checker cannot process all fires together. */
  @Test
  void manyMissedFiresAreLaunchedAtTheEndOfTheOutage() {
    ObjectNode timeline = simulated(outage("PT1H", 3), endless());
    assertThat(timeline.path("jobs")).hasSize(3 * 3_600);
    assertThat(timeline.path("jobs"))
        .allSatisfy(
            job ->
                assertThat(job.at("/launches/0/at").asText())
                    .isEqualTo("2026-03-01T01:00:00.000Z"));
  }

  /** A function that divides its time must not end earlier and so change the result. */
  @Test
  void timeThatRunsShortChangesNothing() {
    JsonNode scenario = outage("PT35M", 1);
    ObjectNode complete = simulated(scenario, endless());
    for (int read = 1; read <= 10; read++) {
      assertThat(simulated(scenario, jumpsAt(read))).as("at read %d", read).isEqualTo(complete);
    }
  }

  /**
   * An event waits while more missed fires come before it than one invocation can apply. A deadline
   * that passes then, or in any other function, is a fault at {@code /to} and no failure.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 9, 10, 12, 15, 20, 30, 45, 68, 100, 150, 220, 330})
  void theTimeCanEndAtAnyReadOfTheClock(int read) {
    ObjectNode scenario = outage("PT34M", 1);
    ((ObjectNode) scenario.at("/schedules/default~1tick0"))
        .set("trigger", Json.readObject(FIRES_AND_EVENTS));
    ((ArrayNode) scenario.path("steps")).add(Json.readObject(SIZE_EVENT));
    assertThatThrownBy(() -> simulated(scenario, passesAt(read)))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            refused ->
                assertThat(refused.faults()).extracting(Fault::pointer).containsExactly("/to"));
  }

  private static Deadline passesAt(int read) {
    AtomicInteger reads = new AtomicInteger();
    InstantSource clock = () -> Instant.ofEpochSecond(reads.incrementAndGet() < read ? 0 : 10);
    return new Deadline(Instant.ofEpochSecond(10), clock);
  }

  /** Nine tenths of the time pass at once. */
  private static Deadline jumpsAt(int read) {
    AtomicInteger reads = new AtomicInteger();
    InstantSource clock = () -> Instant.ofEpochSecond(reads.incrementAndGet() < read ? 0 : 9);
    return new Deadline(Instant.ofEpochSecond(10), clock);
  }

  private static ObjectNode outage(String duration, int schedules) {
    ObjectNode scenario =
        Json.readObject(
            """
            {"from": "2026-03-01T00:00:00Z",
             "steps": [{"at": "2026-03-01T00:00:00Z", "outage": "%s"}]}
            """
                .formatted(duration));
    scenario.put(
        "to", Instant.parse("2026-03-01T00:00:00Z").plus(Duration.parse(duration)).toString());
    ObjectNode all = scenario.putObject("schedules");
    for (int number = 0; number < schedules; number++) {
      all.set("default/tick" + number, Json.readObject(SCHEDULE));
    }
    return scenario;
  }

  private static ObjectNode simulated(JsonNode scenario, Deadline deadline) {
    return new Simulation(PARSER, POLICY).simulate(scenario, deadline);
  }

  private static Deadline endless() {
    return new Deadline(Instant.MAX, InstantSource.fixed(Instant.EPOCH));
  }
}
