package dev.carillon.api;

import static dev.carillon.api.Docs.DAILY;
import static dev.carillon.api.Docs.MINUTELY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.api.Caller.Reply;
import dev.carillon.id.ScheduleId;
import dev.carillon.schedule.Head;
import dev.carillon.system.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Suspension, resumption and completion. */
class SuspensionTest {

  private final Caller caller = new Caller();
  private final World world = caller.world;

  private Head head() {
    return caller.world.schedules.find(new ScheduleId("default", "a")).orElseThrow().head();
  }

  @Test
  void suspendAndResumeKeepTheGenerationAndShowCallerAndReason() {
    caller.put("a", Docs.active(MINUTELY));
    JsonNode suspended =
        caller
            .act("a", "suspend", "{\"mode\": \"discard\", \"reason\": \"repairs\"}")
            .is(200)
            .json();

    assertThat(suspended.path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(suspended.path("nextFire").isNull()).isTrue();
    assertThat(suspended.path("suspended"))
        .isEqualTo(
            Caller.json(
                """
                {"mode": "discard", "reason": "repairs", "until": null, "by": "local",
                 "at": "2026-03-10T12:00:00.000Z"}
                """));
    world.runFor(Duration.ofMinutes(2));
    assertThat(world.arrivals).isEmpty();

    JsonNode resumed = caller.act("a", "resume", null).is(200).json();
    assertThat(resumed.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(resumed.path("generation").asLong()).isEqualTo(1);
    assertThat(resumed.path("suspended").isNull()).isTrue();
    world.runFor(Duration.ofMinutes(1));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void theLastResumptionIsShownAndWhenTheGenerationBegan() {
    JsonNode stored = caller.put("a", Docs.active(DAILY)).json();
    assertThat(stored.path("generationSince").asText()).isEqualTo("2026-03-10T12:00:00.000Z");
    assertThat(stored.path("activeSince")).isEqualTo(stored.path("generationSince"));
    world.runFor(Duration.ofMinutes(1));
    assertThat(caller.act("a", "suspend", "{}").json().path("activeSince").isNull()).isTrue();
    world.runFor(Duration.ofMinutes(1));
    JsonNode resumed = caller.act("a", "resume", null).json();
    assertThat(resumed.path("activeSince").asText()).isEqualTo("2026-03-10T12:02:00.000Z");
    assertThat(resumed.path("generationSince")).isEqualTo(stored.path("generationSince"));
    world.runFor(Duration.ofMinutes(1));
    String labelled = Docs.active(DAILY).replaceFirst("\\{", "{\"description\": \"x\", ");
    assertThat(caller.put("a", labelled).json().path("activeSince"))
        .isEqualTo(resumed.path("activeSince"));
    JsonNode replaced = caller.put("a", Docs.active(MINUTELY)).json();
    assertThat(replaced.path("activeSince").asText()).isEqualTo("2026-03-10T12:03:00.000Z");
    assertThat(replaced.path("generationSince")).isEqualTo(replaced.path("activeSince"));
  }

  @Test
  void repeatedSuspendAndResumeChangeNothing() {
    caller.put("a", Docs.active(DAILY));
    String suspended = caller.act("a", "suspend", "{}").etag();
    assertThat(caller.act("a", "suspend", "{}").is(200).etag()).isEqualTo(suspended);

    String resumed = caller.act("a", "resume", "").etag();
    assertThat(caller.act("a", "resume", "{}").is(200).etag()).isEqualTo(resumed);
  }

  @Test
  void suspendingAgainWithAnotherReasonChangesOnlyTheReason() {
    caller.put("a", Docs.active(DAILY));
    caller.act("a", "suspend", "{\"reason\": \"repairs\"}");
    Head before = head();
    world.runFor(Duration.ofSeconds(5));
    Reply again = caller.act("a", "suspend", "{\"reason\": \"longer repairs\"}").is(200);

    assertThat(again.json().path("suspended"))
        .isEqualTo(
            Caller.json(
                """
                {"mode": "discard", "reason": "longer repairs", "until": null, "by": "local",
                 "at": "2026-03-10T12:00:00.000Z"}
                """));
    assertThat(head().activation()).isEqualTo(before.activation());
    assertThat(head().life().cancelsJobsOf(before.life())).isFalse();
    assertThat(caller.schedule("a").etag()).isEqualTo(again.etag());
    world.runFor(Duration.ofSeconds(5));
    assertThat(caller.act("a", "suspend", "{}").etag()).isEqualTo(again.etag());
    assertThat(caller.act("a", "suspend", "{\"reason\": \"longer repairs\"}").etag())
        .isEqualTo(again.etag());
  }

  @Test
  void suspendAndResumeDiscardCollectedEvents() {
    caller.put("a", Docs.active(Docs.partition("d", 2)));
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    caller.act("a", "suspend", "{}");
    caller.act("a", "resume", "{}");
    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).isEmpty();

    world.partitions("d", 1);
    world.runFor(Duration.ofSeconds(1));
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aCompletedScheduleCannotBeSuspendedOrResumed() {
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:05Z")));
    world.runFor(Duration.ofSeconds(10));
    assertThat(caller.schedule("a").json().path("state").asText()).isEqualTo("COMPLETED");

    caller.act("a", "suspend", "{}").is(409);
    caller.act("a", "resume", "{}").is(409);
  }

  @Test
  void storingTheDocumentOfACompletedScheduleAgainChangesNothingEvenIfItsTimeIsPast() {
    String document = Docs.active(Docs.at("2026-03-10T12:00:05Z"));
    caller.put("a", document);
    world.runFor(Duration.ofSeconds(10));
    String etag = caller.schedule("a").etag();

    assertThat(caller.put("a", document).is(200).etag()).isEqualTo(etag);
    JsonNode labelled =
        caller
            .put("a", Docs.of(Docs.at("2026-03-10T12:00:05Z"), ", \"description\": \"done\""))
            .is(200)
            .json();
    assertThat(labelled.path("state").asText()).isEqualTo("COMPLETED");
    assertThat(labelled.path("generation").asLong()).isEqualTo(1);
    assertThat(caller.put("a", Docs.of(Docs.at("2026-03-10T12:00:06Z"))).is(400).pointers())
        .containsExactly("/trigger/time");
  }

  @Test
  void aCompletedScheduleWithAnotherDefinitionOfTheSameTimeStaysCompletedOrDeletesItself() {
    String at = Docs.at("2026-03-10T12:00:05Z");
    caller.put("a", Docs.active(at));
    world.runFor(Duration.ofSeconds(10));
    JsonNode kept = caller.put("a", Docs.of(at, ", \"priority\": 3")).is(200).json();
    assertThat(kept.path("generation").asLong()).isEqualTo(2);
    assertThat(kept.path("state").asText()).isEqualTo("COMPLETED");
    world.runFor(Duration.ofMinutes(1));
    caller.schedule("a").is(200);

    caller.put("a", Docs.of(at, ", \"afterCompletion\": \"delete\"")).is(200);
    world.runFor(Duration.ofMinutes(1));
    caller.schedule("a").is(404);
    assertThat(world.arrivals).hasSize(1);
  }

  @Test
  void aCompletedScheduleGetsNewTimesAndFiresAgain() {
    caller.put("a", Docs.active(Docs.at("2026-03-10T12:00:05Z")));
    world.runFor(Duration.ofSeconds(10));
    JsonNode replaced = caller.put("a", Docs.of(Docs.at("2026-03-10T12:00:30Z"))).json();

    assertThat(replaced.path("state").asText()).isEqualTo("ACTIVE");
    world.runFor(Duration.ofSeconds(30));
    assertThat(world.arrivals).hasSize(2);
  }

  @Test
  void aScheduleResumedAfterItsOnlyFireIsCompleted() {
    caller.put("a", Docs.of(Docs.at("2026-03-10T12:00:05Z")));
    world.runFor(Duration.ofSeconds(10));
    JsonNode resumed = caller.act("a", "resume", "{}").is(200).json();

    assertThat(resumed.path("state").asText()).isEqualTo("COMPLETED");
    assertThat(world.arrivals).isEmpty();
  }

  @Test
  void theStateInADocumentSuspendsAndResumesWithoutANewGeneration() {
    caller.put("a", Docs.of(DAILY));
    JsonNode active = caller.put("a", Docs.active(DAILY)).is(200).json();
    assertThat(active.path("state").asText()).isEqualTo("ACTIVE");
    assertThat(active.path("generation").asLong()).isEqualTo(1);

    JsonNode suspended =
        caller
            .put("a", Docs.of(DAILY, ", \"state\": \"SUSPENDED\", \"description\": \"off\""))
            .is(200)
            .json();
    assertThat(suspended.path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(suspended.path("generation").asLong()).isEqualTo(1);
    assertThat(suspended.path("schedule").path("description").asText()).isEqualTo("off");
  }

  @Test
  void aSuspendedScheduleStaysSuspendedWhenItIsReplaced() {
    caller.put("a", Docs.active(DAILY));
    caller.act("a", "suspend", "{\"reason\": \"repairs\"}");
    JsonNode replaced = caller.put("a", Docs.of(MINUTELY)).is(200).json();

    assertThat(replaced.path("state").asText()).isEqualTo("SUSPENDED");
    assertThat(replaced.path("suspended").path("reason").asText()).isEqualTo("repairs");
  }
}
