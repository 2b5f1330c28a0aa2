package dev.carillon.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.client.schedule.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers with values that this version does not know; each of these values is LATER or later. */
class NewerServerTest {

  private static final String JOB =
      """
      {"jobId": "j", "namespace": "team", "schedule": "a", "generation": 1, "state": "LATER",
       "operations": [{"id": "load", "type": null, "state": "LATER", "after": []}], "version": 1,
       "transitions": [{"at": "2026-01-01T00:00:00Z", "state": "LATER", "reason": null,
         "reasonCode": "LATER"}]}
      """;

  private static final String SCHEDULE =
      """
      {"namespace": "team", "name": "a", "generation": 1, "etag": "1", "state": "LATER",
       "suspended": {"mode": "later", "reason": null, "until": null, "by": "ann",
         "at": "2026-01-01T00:00:00Z"}, "schedule": {}}
      """;

  private static final String BACKFILL =
      """
      {"backfillId": "b", "namespace": "team", "schedule": "a", "generation": 1, "state": "LATER",
       "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z", "concurrency": 1, "fires": 5,
       "launched": 5, "unfinished": 0, "ended": {"FAILED": 1, "LATER": 3, "EVEN_LATER": 1},
       "askedAt": "2026-01-03T00:00:00Z", "askedBy": "ann"}
      """;

  private static final String STATUS =
      """
      {"oldestDueAgeSeconds": 0, "jobs": {"RUNNING": 1, "LATER": 3, "EVEN_LATER": 1},
       "queues": {}, "troubles": []}
      """;

  private static final String SUMMARY =
      "{\"jobs\": {\"LATER\": 3}, \"operations\": {\"LATER\": 7}, \"moreJobs\": false}";

  private static final String PROGRAM =
      """
      {"namespace": "team", "name": "p", "moreSchedules": false, "limits": [], "gates": [],
       "schedules": [{"name": "a", "state": "LATER", "nextFire": null}], "lastRuns": [%s]}
      """
          .formatted(JOB);

  private final Stub stub = new Stub();
  private final CarillonClient client = CarillonClient.local(stub.uri());

  @AfterEach
  void stop() {
    stub.close();
  }

  /** A call, its answer, and the part of the answer that the library must keep. */
  private static Arguments answer(String answer, String kept, Function<Namespace, Object> call) {
    return Arguments.of(answer, kept, call);
  }

  static Stream<Arguments> answers() {
    String order = "{\"jobId\": \"j\", \"state\": \"LATER\"}";
    return Stream.of(
        answer(JOB, JOB, team -> team.job("j")),
        answer("{\"jobs\": [" + JOB + "]}", JOB, team -> team.jobs("a").items().get(0)),
        answer(SCHEDULE, SCHEDULE, team -> team.schedule("a")),
        answer(
            "{\"schedules\": [" + SCHEDULE + "]}",
            SCHEDULE,
            team -> team.schedules(ScheduleFilter.all(), 1, null).items().get(0)),
        answer(BACKFILL, BACKFILL, team -> team.backfill("a", "b")),
        answer("{\"summary\": " + SUMMARY + "}", SUMMARY, team -> team.progress("order")),
        answer(PROGRAM, PROGRAM, team -> team.program("p")),
        answer(order, order, team -> team.runs().cancel("j")),
        answer(order, order, team -> team.runs().retry("j")));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerIsReadAndKeepsEachValue(
      String answer, String kept, Function<Namespace, Object> call) {
    stub.answers(200, answer);
    assertContains(
        Json.tree(call.apply(client.namespace("team"))), Json.read(kept, JsonNode.class));
  }

  @Test
  void theStatusKeepsEachValue() {
    stub.answers(200, STATUS);
    assertContains(Json.tree(client.status()), Json.read(STATUS, JsonNode.class));
  }

  @Test
  void anUnknownValueIsUnrecognized() {
    Job job = Json.read(JOB, Job.class);
    assertThat(job.state()).isEqualTo(Job.State.UNRECOGNIZED);
    assertThat(job.transitions().get(0).state()).isEqualTo(Job.State.UNRECOGNIZED);
    assertThat(job.operations().get(0).state()).isEqualTo(OperationState.UNRECOGNIZED);
    StoredSchedule schedule = Json.read(SCHEDULE, StoredSchedule.class);
    assertThat(schedule.state()).isEqualTo(StoredSchedule.State.UNRECOGNIZED);
    assertThat(schedule.suspended().mode()).isEqualTo(SuspendMode.UNRECOGNIZED);
    assertThat(Json.read(BACKFILL, Backfill.class).state()).isEqualTo(Backfill.State.UNRECOGNIZED);
    assertThat(Json.read(PROGRAM, Program.class).schedules().get(0).state())
        .isEqualTo(StoredSchedule.State.UNRECOGNIZED);
    assertThat(new ChangedJob("j", "LATER").state()).isEqualTo(Job.State.UNRECOGNIZED);
  }

  @Test
  void eachKnownNameIsItsConstant() {
    for (SuspendMode mode : SuspendMode.values()) {
      String name = Json.tree(mode).asText();
      assertThat(new StoredSchedule.Suspension(name, null, null, "ann", Instant.EPOCH).mode())
          .isEqualTo(mode);
    }
    for (Job.State state : Job.State.values()) {
      assertThat(new ChangedJob("j", state.name()).state()).isEqualTo(state);
    }
  }

  @Test
  void anUnrecognizedValueIsNotSent() {
    Namespace team = client.namespace("team");
    Job.State state = Job.State.UNRECOGNIZED;
    Map<ThrowingCallable, String> calls =
        Map.of(
            () -> JobFilter.unfinished().withState(state), "/query/state",
            () -> ScheduleFilter.all().withState(StoredSchedule.State.UNRECOGNIZED), "/query/state",
            () -> JobSelection.ofProgram("p").withState(state), "/state",
            () -> team.jobs("a", state, 1, null), "/query/state",
            () -> team.jobsOfProgram("p", state, 1, null), "/query/state",
            () -> team.suspend("a", SuspendMode.UNRECOGNIZED, null), "/mode",
            () ->
                    team.runs()
                        .heartbeat(
                            "j",
                            "t",
                            null,
                            Map.of("load", OperationState.UNRECOGNIZED),
                            Duration.ofSeconds(5)),
                "/operations/load");
    calls.forEach(
        (call, pointer) ->
            assertThat(
                    catchThrowableOfType(CarillonException.Invalid.class, call).problem().errors())
                .containsExactly(
                    new Problem.Fault(
                        pointer,
                        "UNRECOGNIZED stands for a value that only a newer server knows; give"
                            + " another value")));
    assertThat(stub.request).isNull();
  }

  /** The other value can have more members, which are null or empty. */
  private static void assertContains(JsonNode actual, JsonNode expected) {
    if (expected.isObject()) {
      expected.properties().forEach(it -> assertContains(actual.path(it.getKey()), it.getValue()));
    } else if (expected.isArray()) {
      assertThat(actual).hasSameSizeAs(expected);
      for (int i = 0; i < expected.size(); i++) {
        assertContains(actual.path(i), expected.path(i));
      }
    } else {
      assertThat(actual).isEqualTo(expected);
    }
  }
}
