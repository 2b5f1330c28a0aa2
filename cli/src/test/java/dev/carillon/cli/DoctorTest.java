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

/** What the doctor finds; with recorded answers, which have every trouble. */
@Timeout(600)
class DoctorTest {

  private static final String NONE = "{\"schedules\": [], \"next\": null}";

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
         "schedule": {"trigger": {"type": "%s"}}}
        """
        .formatted(name, nextFire, type);
  }

  @Test
  void nothingIsWrong() throws IOException {
    try (Stub stub = new Stub()) {
      String good = status(30, 0, 0, "");
      stub.answers(200, good).answers(200, good).answers(200, NONE);
      Result result = Call.to(stub.uri()).run("doctor");

      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.out()).contains("clock", "tick", "dead letters", "broken schedules");
      assertThat(result.err()).isEmpty();
    }
  }

  @Test
  void eachTroubleIsNamedWithItsRemedy() throws IOException {
    try (Stub stub = new Stub()) {
      String bad = status(500, 3, 2, "\"some launches are refused\"");
      stub.answers(200, bad)
          .answers(200, bad)
          .answers(200, schedules(schedule("lost", "null", "programStatus")))
          .answers(
              200,
              schedules(
                  schedule("never", "null", "cron"),
                  schedule("late", "\"2026-01-01T00:00:00Z\"", "rate"),
                  schedule("waiting", "null", "partition")));
      Result result = Call.to(stub.uri()).run("doctor -o wide");

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("tick: the last tick was 500 s ago")
          .contains("dead letters: checkDeadLetters has 3 messages")
          .contains("docs/operate/dead-letters.md")
          .contains("rejected events: rejected has 2 messages")
          .contains("troubles: some launches are refused")
          .contains("broken schedules: 1: lost")
          .contains("never firing: 1: never\n")
          .contains("late schedules: 1: late\n");
    }
  }

  @Test
  void aWrongClockIsFound() throws IOException {
    try (Stub stub = new Stub()) {
      String never = status("null", 0, 0, "");
      stub.answers(200, never).answers(200, never).answers(200, NONE);
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
