package dev.carillon.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.check.Check;
import dev.carillon.check.CheckJson;
import dev.carillon.check.CheckJson.Parsed;
import dev.carillon.document.Json;
import dev.carillon.event.Event;
import dev.carillon.event.Resend;
import dev.carillon.id.BackfillId;
import dev.carillon.id.CollectingJobId;
import dev.carillon.id.GateKey;
import dev.carillon.id.JobId;
import dev.carillon.id.ScheduleId;
import dev.carillon.id.SuspensionEnd;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The messages that functions send each other, as the version before wrote them, and with members
 * that only a newer version knows. While a deployment is under way, both versions receive both. For
 * stored items, {@code StoredFormTest} does the same.
 */
class OtherVersionsTest {

  private static final ScheduleId REPORT = new ScheduleId("default", "report");
  private static final Instant AT = Instant.ofEpochMilli(1_772_359_200_500L);
  private static final Event EVENT =
      new Event(
          "e1",
          "default",
          AT,
          "done",
          Json.readObject("{\"a\": [1, null]}"),
          Map.of("event:orders", 1L));

  private static String golden(String name) throws IOException {
    try (InputStream file = OtherVersionsTest.class.getResourceAsStream("/golden/" + name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    }
  }

  @Test
  void aCheck() throws IOException {
    String message = golden("check.json");
    Check check =
        new Check(
            AT,
            List.of(
                JobId.parse("default~report~00001~0mm7kwn40"),
                JobId.parse("default~report~00001~0mm7kwn40~e1z"),
                GateKey.ofProgram("default", "exporter"),
                new CollectingJobId(REPORT),
                new SuspensionEnd(REPORT),
                new BackfillId(REPORT, "k3")));

    assertThat(CheckJson.write(check)).isEqualTo(message);
    assertThat(CheckJson.read(message)).isEqualTo(new Parsed(check, null));
    assertThat(CheckJson.read(golden("check-newer.json"))).isEqualTo(new Parsed(check, null));
  }

  @Test
  void anEventThatSomeSchedulesHaveNotCounted() throws IOException {
    List<ScheduleId> schedules = List.of(REPORT, new ScheduleId("default", "audit"));
    Resend resend = new Resend(EVENT, new Resend.Count(schedules, false));
    assertRead(resend, "resend");
  }

  @Test
  void anEventThatEndsARun() throws IOException {
    assertRead(new Resend(EVENT, new Resend.EndRun()), "counted");
  }

  private static void assertRead(Resend resend, String name) throws IOException {
    String message = golden(name + ".json");
    assertThat(resend.write()).isEqualTo(message);
    assertThat(Resend.read(message)).contains(resend);
    assertThat(Resend.read(golden(name + "-newer.json"))).contains(resend);
  }
}
