package dev.carillon.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.document.InvalidDocument;
import dev.carillon.document.Json;
import dev.carillon.launch.TargetPolicy;
import dev.carillon.runtime.Deadline;
import dev.carillon.schedule.ScheduleParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The results of the scenarios in the documents, among them the user stories of the CDAP designs.
 */
class DocumentedScenariosTest {

  private static final Path SCENARIOS = Path.of("../docs/scenarios");

  private final Simulation simulation =
      new Simulation(
          new ScheduleParser(ZoneOffset.UTC),
          new TargetPolicy("eu-west-1", "000000000000", "", List.of("*"), Set.of()));

  /** The expected launches of each scenario: the schedule and the instant. */
  static Stream<Arguments> launches() {
    return Stream.of(
        Arguments.of(
            "story-1-one-time",
            List.of(
                "east 2026-03-01T03:00:00Z",
                "north 2026-03-01T03:00:00Z",
                "south 2026-03-01T03:00:00Z")),
        Arguments.of(
            "story-2-outage",
            List.of(
                "every 2026-03-01T01:00:00Z",
                "every 2026-03-01T04:30:00Z",
                "every 2026-03-01T04:30:00Z",
                "every 2026-03-01T04:30:00Z",
                "every 2026-03-01T05:00:00Z",
                "every 2026-03-01T06:00:00Z",
                "latest 2026-03-01T01:00:00Z",
                "latest 2026-03-01T04:30:00Z",
                "latest 2026-03-01T05:00:00Z",
                "latest 2026-03-01T06:00:00Z")),
        Arguments.of("story-3-data-arrives", List.of("load 2026-03-01T04:17:09Z")),
        Arguments.of(
            "story-4-after-another-program",
            List.of(
                "extract 2026-03-01T02:00:00Z",
                "extract 2026-03-02T02:00:00Z",
                "report 2026-03-01T02:40:00Z")),
        Arguments.of(
            "story-7-night-window",
            List.of("aggregate 2026-03-01T22:00:00Z", "aggregate 2026-03-02T23:30:00Z")),
        Arguments.of(
            "story-8-what-is-there",
            List.of("join 2026-03-01T07:00:00Z", "join 2026-03-01T15:00:00Z")),
        Arguments.of("time-out", List.of("nightly 2026-03-01T04:00:00Z")),
        Arguments.of(
            "while-pending",
            List.of(
                "hourly 2026-03-01T00:30:00Z",
                "hourly 2026-03-01T03:30:00Z",
                "refresh 2026-03-01T01:00:00Z",
                "refresh 2026-03-01T02:30:00Z")),
        Arguments.of(
            "story-9-after-the-last-chunk",
            List.of("by-three 2026-03-01T08:45:00Z", "merge 2026-03-01T09:15:00Z")),
        Arguments.of(
            "story-10-many-small-events",
            List.of("by-quiet 2026-03-01T08:30:00Z", "by-size 2026-03-01T08:24:00Z")),
        Arguments.of(
            "story-11-hours-or-gigabytes",
            List.of(
                "flush 2026-03-01T04:00:00Z",
                "flush 2026-03-01T06:30:00Z",
                "flush 2026-03-01T10:30:00Z")),
        Arguments.of(
            "holidays",
            List.of(
                "invoices 2026-12-23T06:00:00Z",
                "invoices 2026-12-24T06:00:00Z",
                "invoices 2026-12-27T06:00:00Z")),
        Arguments.of(
            "one-at-a-time",
            List.of(
                "export 2026-03-01T01:00:00Z",
                "export 2026-03-01T02:30:00Z",
                "export 2026-03-01T04:00:00Z")));
  }

  @ParameterizedTest
  @MethodSource
  void launches(String scenario, List<String> expected) {
    assertThat(launchesOf(played(scenario))).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void scenariosWithoutParticularDatesAreTheSameEachDay() {
    List<Instant> launches =
        launchesOf(played("story-5-no-particular-time")).stream()
            .map(launch -> Instant.parse(launch.split(" ")[1]))
            .toList();
    Instant first = launches.get(0);
    assertThat(launches)
        .containsExactly(first, first.plusSeconds(86_400), first.plusSeconds(2 * 86_400));
    assertThat(first).isBetween("2026-03-01T01:00:00Z", "2026-03-01T05:00:00Z");
  }

  @Test
  void missedFiresThatAreNotCaughtUpAreReportedWithTheReason() {
    assertThat(played("story-2-outage").path("jobs"))
        .filteredOn(job -> job.path("state").asText().equals("SKIPPED"))
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.path("schedule").asText()).isEqualTo("default/latest");
              assertThat(job.path("transitions").findValuesAsText("reason").toString())
                  .contains("2 missed fires");
            });
  }

  @Test
  void theReasonOfATimeoutNamesWhatIsMissing() {
    JsonNode job = played("story-8-what-is-there").path("jobs").path(0);
    assertThat(job.at("/launches/0/body/why/leaves").findValuesAsText("satisfied"))
        .containsExactly("true", "false", "true");
    assertThat(job.path("transitions").findValuesAsText("reason"))
        .contains("launched at its time-out of PT6H although not all conditions hold");
    assertThat(job.path("transitions").findValuesAsText("reasonCode"))
        .contains("LAUNCHED_AT_TIMEOUT");
  }

  @Test
  void timedOutMergedAndSkippedJobsAreReportedWithTheReason() {
    assertThat(reasons("time-out", "TIMED_OUT"))
        .containsExactly(
            "its constraints did not hold within PT1H: program nightly is at its limit of unfinished jobs: 1 of at most 1");
    assertThat(reasons("while-pending", "SKIPPED"))
        .hasSize(3)
        .allMatch(reason -> reason.endsWith(" of the schedule still waits"));
    assertThat(played("while-pending").path("jobs"))
        .filteredOn(job -> job.path("schedule").asText().equals("default/refresh"))
        .extracting(job -> job.at("/launches/0/body/pages/leaves/0/actual").asInt())
        .containsExactly(1, 4);
  }

  private List<String> reasons(String scenario, String state) {
    List<String> reasons = new ArrayList<>();
    for (JsonNode job : played(scenario).path("jobs")) {
      JsonNode transitions = job.path("transitions");
      if (job.path("state").asText().equals(state)) {
        reasons.add(transitions.path(transitions.size() - 1).path("reason").asText());
      }
    }
    return reasons;
  }

  @Test
  void eventsDuringAnOutageAreCountedAtItsEnd() {
    JsonNode timeline =
        simulation.simulate(
            Json.readObject(
                """
                {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
                 "schedules": {"default/load": {
                   "trigger": {"type": "event", "key": "k"},
                   "target": {"queue": "loads", "template": {}}}},
                 "steps": [
                   {"at": "2026-03-01T01:00:00Z", "outage": "PT2H"},
                   {"at": "2026-03-01T02:00:00Z", "event": {"eventType": "k", "payload": {}}},
                   {"at": "2026-03-01T02:30:00Z", "outage": "PT1H"}]}
                """),
            endless());
    assertThat(launchesOf(timeline)).containsExactly("load 2026-03-01T03:30:00Z");
  }

  @Test
  void anInvalidCalendarIsRefusedWithItsPointer() {
    assertThatThrownBy(
            () ->
                simulation.simulate(
                    Json.readObject(
                        """
                        {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
                         "calendars": {"default/days": {"dates": ["2026-02-30"]}, "days": {}}}
                        """),
                    endless()))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid ->
                assertThat(invalid.faults())
                    .extracting(fault -> fault.pointer())
                    .contains("/calendars/days"));
    assertThatThrownBy(
            () ->
                simulation.simulate(
                    Json.readObject(
                        """
                        {"from": "2026-03-01T00:00:00Z", "to": "2026-03-01T06:00:00Z",
                         "calendars": {"default/days": {"dates": ["2026-02-30"]}}}
                        """),
                    endless()))
        .isInstanceOfSatisfying(
            InvalidDocument.class,
            invalid ->
                assertThat(invalid.faults())
                    .extracting(fault -> fault.pointer())
                    .containsExactly("/calendars/default~1days/dates/0"));
  }

  private JsonNode played(String scenario) {
    try {
      String text = Files.readString(SCENARIOS.resolve(scenario + ".json"));
      return simulation.simulate(Json.readObject(text), endless());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<String> launchesOf(JsonNode timeline) {
    List<String> launches = new ArrayList<>();
    for (JsonNode job : timeline.path("jobs")) {
      String schedule = job.path("schedule").asText().replace("default/", "");
      job.path("launches")
          .forEach(
              launch -> launches.add(schedule + " " + Instant.parse(launch.path("at").asText())));
    }
    return launches;
  }

  private static Deadline endless() {
    return new Deadline(Instant.MAX, InstantSource.fixed(Instant.EPOCH));
  }
}
