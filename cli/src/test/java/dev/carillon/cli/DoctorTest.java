package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Call.Result;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the doctor finds; with recorded answers, which have every trouble. */
@Timeout(600)
class DoctorTest {

  private static final String NONE = "{\"schedules\": [], \"next\": null}";

  private static final String NO_JOBS = "{\"jobs\": [], \"next\": null}";

  /** A waiting job with a reason. */
  private static String waiting(String reason) {
    return """
        {"jobs": [{"jobId": "j1", "namespace": "default", "schedule": "lost", "program": null,
          "customer": null, "priority": 5, "generation": 1, "state": "PENDING_CONSTRAINT",
          "attempt": 1, "version": 1, "scheduledFor": "2026-01-02T00:00:00Z", "transitions":
           [{"at": "2026-01-02T00:00:00Z", "state": "PENDING_CONSTRAINT", "reason": "%s"}]}],
         "next": null}
        """
        .formatted(reason);
  }

  private static String status(Object lag, int dead, int rejected, String troubles) {
    return """
        {"lastProcessedTime": null, "lagSeconds": %s, "oldestDueAgeSeconds": 0, "jobs": {},
         "queues": {"checkDeadLetters": {"url": "u", "visible": %d},
                    "rejected": {"url": "u", "visible": %d}},
         "troubles": [%s]}
        """
        .formatted(lag, dead, rejected, troubles);
  }

  private static String schedules(String... items) {
    return "{\"schedules\": [" + String.join(",", items) + "], \"next\": null}";
  }

  private static String schedule(String name, String nextFire, String type) {
    return """
        {"namespace": "default", "name": "%s", "generation": 1, "etag": "1", "state": "ACTIVE",
         "nextFire": %s, "createdAt": "2026-01-01T00:00:00Z", "createdBy": "ann",
         "updatedAt": "2026-01-01T00:00:00Z", "suspended": null,
         "schedule": {"trigger": {"type": "%s"}, "target": {"queue": "work"}, "pool": null}}
        """
        .formatted(name, nextFire, type);
  }

  private static String fire(String at) {
    return """
        {"description": "d", "fires":
         [{"scheduledFor": "%s", "local": "l", "dst": null, "request": null}]}
        """
        .formatted(at);
  }

  @Test
  void nothingIsWrong() throws IOException {
    try (Stub stub = new Stub()) {
      String good = status(30, 0, 0, "");
      stub.answers(200, good)
          .answers(200, good)
          .answers(200, NONE)
          .answers(200, NONE)
          .answers(200, NO_JOBS);
      Result result = Call.to(stub.uri()).run("doctor");

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).contains("clock", "tick", "dead letters", "broken schedules");
      assertThat(result.err()).isEmpty();
    }
  }

  /** Only the status knows how often the master runs. */
  @ParameterizedTest
  @CsvSource({"3540, '', 0", "3720, the master has completed no tick, 1"})
  void aLateTickIsWrongIfTheStatusSaysSo(int lag, String trouble, int code) throws IOException {
    try (Stub stub = new Stub()) {
      String status = status(lag, 0, 0, trouble.isEmpty() ? "" : "\"" + trouble + "\"");
      stub.answers(200, status)
          .answers(200, status)
          .answers(200, NONE)
          .answers(200, NONE)
          .answers(200, NO_JOBS);
      Result result = Call.to(stub.uri()).run("doctor -o wide");

      assertThat(result.code()).as(result.err()).isEqualTo(code);
      if (trouble.isEmpty()) {
        assertThat(result.out()).contains("the last tick was " + lag + " s ago");
      } else {
        assertThat(result.out()).doesNotContain("last tick");
        assertThat(result.err()).contains("troubles: " + trouble);
      }
    }
  }

  @Test
  void eachTroubleIsNamedWithItsRemedy() throws IOException {
    try (Stub stub = new Stub()) {
      String bad = status(100, 3, 2, "\"some launches are refused\"");
      stub.answers(200, bad)
          .answers(200, bad)
          .answers(200, schedules(schedule("lost", "null", "programStatus")))
          .answers(
              200,
              schedules(
                  schedule("never", "null", "cron"),
                  schedule("late", "\"2026-01-01T00:00:00Z\"", "rate"),
                  schedule("waiting", "null", "partition")))
          .answers(200, NO_JOBS)
          .answers(200, fire("2026-01-02T00:00:00Z"))
          .answers(200, waiting("the queue does not exist"))
          .answers(200, waiting("the queue does not exist"))
          .answers(200, NO_JOBS)
          .answers(200, schedule("lost", "null", "cron"));
      Result result = Call.to(stub.uri()).run("doctor -o wide");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("dead letters: checkDeadLetters has 3 messages")
          .contains("docs/operate/dead-letters.md")
          .contains("rejected events: rejected has 2 messages")
          .contains("troubles: some launches are refused")
          .contains("broken schedules: 1: lost")
          .contains("never firing: 1: never\n")
          .contains("timers missing: 1: never\n")
          .contains("missing target queues: the queue work of the schedule lost\n")
          .contains("create the queue, or change target.queue");
    }
  }

  /** The jobs of a pool wait READY while its queue is missing. */
  @ParameterizedTest
  @CsvSource({
    "encode, the queue of the pool encode of the schedule lost",
    "match, the queue of the pool of the schedule lost"
  })
  void theMissingQueueOfAPoolIsNamed(String pool, String named) throws IOException {
    try (Stub stub = new Stub()) {
      String good = status(30, 0, 0, "");
      String ready = waiting("the queue does not exist").replace("PENDING_CONSTRAINT", "READY");
      stub.answers(200, good)
          .answers(200, good)
          .answers(200, NONE)
          .answers(200, NONE)
          .answers(200, NO_JOBS)
          .answers(200, ready)
          .answers(
              200,
              schedule("lost", "null", "cron")
                  .replace(
                      "\"target\": {\"queue\": \"work\"}, \"pool\": null",
                      "\"pool\": \"" + pool + "\""));
      Result result = Call.to(stub.uri()).run("doctor -o wide");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("missing target queues: " + named + "\n");
      assertThat(stub.requests).anyMatch(request -> request.contains("state=READY"));
    }
  }

  @Test
  void aThrottledPreviewIsRequestedAgain() throws IOException {
    try (Stub stub = new Stub()) {
      String good = status(30, 0, 0, "");
      stub.answers(200, good)
          .answers(200, good)
          .answers(200, NONE)
          .answers(200, schedules(schedule("daily", "\"2026-01-03T00:00:00Z\"", "cron")))
          .answers(200, NO_JOBS)
          .answers(429, "{\"message\": \"Too Many Requests\"}")
          .answers(200, fire("2026-01-02T00:00:00Z"))
          .answers(200, NO_JOBS);
      Result result = Call.to(stub.uri()).run("doctor");

      assertThat(result.err()).contains("timers missing: 1: daily\n");
    }
  }

  @Test
  void whatWasFoundBeforeABusyAnswerIsShown() throws IOException {
    try (Stub stub = new Stub()) {
      String dead = status(30, 3, 0, "");
      stub.answers(200, dead).answers(200, dead).answers(503, "{\"detail\": \"try later\"}");
      Result result = Call.to(stub.uri()).run("doctor");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).contains("clock", "the last tick was 30 s ago");
      assertThat(result.err())
          .contains("dead letters: checkDeadLetters has 3 messages")
          .contains("api: GET /v1/namespaces/default/schedules: 503", "repeat the command");
    }
  }

  @Test
  void aWrongClockIsFound() throws IOException {
    try (Stub stub = new Stub()) {
      String never = status("null", 0, 0, "");
      stub.answers(200, never)
          .answers(200, never)
          .answers(200, NONE)
          .answers(200, NONE)
          .answers(200, NO_JOBS);
      Clock ahead = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofHours(1));
      Result result = Call.to(stub.uri()).at(ahead).run("doctor");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("clock: this clock is 3").contains("NTP");
      assertThat(result.err()).contains("tick: the master has never run");
    }
  }

  @Test
  void withoutAPermissionTheRestIsLeftOut() throws IOException {
    try (Stub stub = new Stub().answers(403, "{\"detail\": \"no\"}")) {
      Result denied = Call.to(stub.uri()).run("doctor");
      assertThat(denied.code()).isEqualTo(1);
      assertThat(denied.err()).contains("permission: GET /v1/status: no", "execute-api:Invoke");
    }
  }

  @Test
  void refusedCredentialsAreNoMissingPermission() throws IOException {
    String expired = "{\"detail\": \"The security token included in the request is expired\"}";
    try (Stub stub = new Stub().answers(403, expired)) {
      Result doctor = Call.to(stub.uri()).run("doctor");
      assertThat(doctor.code()).isEqualTo(1);
      assertThat(doctor.err()).contains("credentials: GET", "log in again", "clock");
      assertThat(doctor.out()).contains("credentials").doesNotContain("permission");
      assertThat(Call.to(stub.uri()).run("status").err())
          .contains("not allowed", "log in again")
          .doesNotContain("execute-api:Invoke");
    }
  }

  @Test
  void missingCredentialsAreAFindingOfOneLine() {
    Result doctor =
        Call.to("https://api.example.invalid")
            .run("doctor --region eu-west-1 --profile there-is-no-such-profile");
    assertThat(doctor.code()).isEqualTo(1);
    assertThat(doctor.out()).contains("credentials", "wrong");
    assertThat(doctor.err()).contains("credentials: ", "log in again").hasSizeLessThan(400);
    Result stack =
        new Call().run("doctor --stack s --region eu-west-1 --profile there-is-no-such-profile");
    assertThat(stack.out()).isEqualTo(doctor.out());
  }

  @Test
  void withoutAnApiTheRestIsLeftOut() throws IOException {
    URI absent;
    try (Stub stub = new Stub()) {
      absent = stub.uri();
    }
    Result result = Call.to(absent).run("doctor");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("./carillon local");
  }

  @Test
  void aLocalEngineIsExaminedToo() throws InterruptedException {
    Result result = Call.to(Engine.shared().http()).in("doctor").run("doctor -o name");
    assertThat(result.lines()).contains("api", "clock", "tick", "never firing");
  }
}
